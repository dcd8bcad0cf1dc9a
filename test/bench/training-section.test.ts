import { expect, it } from 'vitest';
import { trainingSection } from '../../bench/reports/training-section.ts';

it('tells what the shipped ranker reaches on queries it was not trained on', () => {
  const section = trainingSection();
  const row = section.split('\n').find((line) => line.startsWith('| real66'));
  expect(row).toMatch(/\| +373 \| +\.\d{3} \/ \.\d{3} \| +\.\d{3} \/ \.\d{3} \| +\.\d{3} \/ \.\d{3} \|/);
  expect(section).toMatch(/\|\s+left out \|/);
});

import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that any tool can read: `N passed, N failed, N skipped`. */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string) => states.filter((value) => value === state).length;
    process.stdout.write(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
  }
}

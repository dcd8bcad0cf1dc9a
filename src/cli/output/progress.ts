import pico from 'picocolors';
import yoctoSpinner from 'yocto-spinner';
import type { SettleProgress, SyncReport } from '../../model/index.ts';
import { formatCount, plural } from '../../render/index.ts';
import type { TextOutput } from '../io.ts';
import { formatDuration } from './figures.ts';
import { printable, singleLine } from './plain-text.ts';

/** Tells a person at a terminal what is going on; in a pipe it is silent. */
export interface ProgressReporter {
  /** What is being done right now; replaces the text before. */
  update(text: string): void;
  /** A line that stays. */
  line(text: string): void;
  stop(): void;
}

/** Progress on a terminal: a spinner where one can be drawn, else only the lines that stay. */
export function createProgress(output: TextOutput, text: string): ProgressReporter {
  if (!output.isTTY) return { update: () => undefined, line: () => undefined, stop: () => undefined };
  const line = (content: string) => output.write(`${printable(content)}\n`);
  if (output.spinnerStream === undefined) return { update: () => undefined, line, stop: () => undefined };
  const spinner = yoctoSpinner({ text, stream: output.spinnerStream, handleSignals: false }).start();
  return {
    update: (content) => {
      spinner.text = singleLine(content);
    },
    line,
    stop: () => void spinner.stop(),
  };
}

/** One line for a server that is done. */
export function formatSyncReport(report: SyncReport, output: TextOutput): string {
  const colors = pico.createColors(output.color);
  if (report.state === 'disabled') return `${colors.dim('-')} ${report.server}: disabled${reason(report.error)}`;
  if (report.state === 'failed') return `${colors.red('✗')} ${report.server}: failed${reason(report.error)}`;
  const changes = [
    [report.added, 'added'],
    [report.changed, 'changed'],
    [report.removed, 'removed'],
  ] as const;
  const told = changes.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  const facts = [plural(report.tools, 'tool'), ...told, formatDuration(report.durationMs)].join(', ');
  return `${colors.green('✓')} ${report.server}: ${facts}`;
}

function reason(error: string | undefined): string {
  return error === undefined ? '' : `: ${singleLine(error)}`;
}

/** `embedding 120 of 400 texts`. */
export function formatSettleProgress({ embedded, texts }: SettleProgress): string {
  return `embedding ${formatCount(embedded)} of ${plural(texts, 'text')}`;
}

/** Something the person at the keyboard can mend: shown as its message alone. */
export class BenchError extends Error {
  override readonly name = 'BenchError';
}

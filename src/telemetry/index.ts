/**
 * What toolcrib tells about itself: structured logs on stderr, with every secret taken out. Imports `model` and `errors`
 * alone. Nothing here ever writes to stdout, which belongs to the protocol.
 */
export { createInstruments, type Instruments } from './instruments.ts';
export { createLogger, type LoggerOptions, type LogLevel } from './logger.ts';
export { createRedactor, type Redactor } from './redactor.ts';

#!/usr/bin/env node
/** The executable: calls `cli/`, sets the exit code, nothing else. */
import { runCli } from './cli/index.ts';

process.exitCode = await runCli(process.argv.slice(2));

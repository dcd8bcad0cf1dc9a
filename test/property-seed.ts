import fc from 'fast-check';

/**
 * Property tests try the same cases in every run, so that a red one is the fault of the change at hand. `FC_SEED=1234 npx
 * vitest run` tries others.
 */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_260_728) });

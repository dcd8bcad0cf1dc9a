/**
 * Deepest arguments and results that are passed on. Real ones stay under 20 levels; at some thousand, everything that
 * walks them by recursion, `JSON.stringify` included, overflows its stack.
 */
export const nestingMaxLevels = 200;

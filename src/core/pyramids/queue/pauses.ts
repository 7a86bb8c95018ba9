/** How long builds wait where the store of pyramids can't take one. */

/** Where there was no space, in ms. */
export const noSpacePauseMs = 5 * 60_000;

const firstPauseMs = 2000;

/** Where a store did not answer, after a number of failures in a row, in ms: doubled with each one, so that a single failure costs little. */
export const noAnswerPauseMs = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** (failures - 1), noSpacePauseMs);

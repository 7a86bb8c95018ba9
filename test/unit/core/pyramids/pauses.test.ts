import { expect, it } from 'vitest';
import { noAnswerPauseMs, noSpacePauseMs } from '../../../../src/core/pyramids/queue/build-queue.ts';

it('pauses for 2 s after one failure of the store, doubled with each further one, up to five minutes', () => {
  expect([1, 2, 3, 7].map(noAnswerPauseMs)).toEqual([2000, 4000, 8000, 128_000]);
  expect([8, 9, 100, 5000].map(noAnswerPauseMs)).toEqual([256_000, noSpacePauseMs, noSpacePauseMs, noSpacePauseMs]);
});

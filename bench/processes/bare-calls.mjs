/** Makes bare calls of sharp or OpenJPEG in a process of their own. */

import { render, renderJpeg2000 } from './render.mjs';
import { respondWith } from './worker.mjs';

/** Each call once, or again and again for so many ms. */
function* callsOf(calls, ms) {
  const end = performance.now() + (ms ?? 0);
  do yield* calls;
  while (performance.now() < end);
}

respondWith(async ({ calls, connections, ms }) => {
  const shared = callsOf(calls, ms);
  const start = performance.now();
  let answers = 0;
  const inTurn = async () => {
    for (const call of shared) {
      await (call.reduction === undefined ? render(call) : renderJpeg2000(call));
      answers++;
    }
  };
  await Promise.all(Array.from({ length: connections }, inTurn));
  return { answers, elapsedMs: performance.now() - start };
});

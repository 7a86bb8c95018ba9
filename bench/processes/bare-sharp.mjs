/** Makes the bare sharp calls in a process of their own. */

import { render } from './render.mjs';
import { respondWith } from './worker.mjs';

async function renderInTurn(calls) {
  for (let call = calls.next(); !call.done; call = calls.next()) await render(call.value);
}

respondWith(async ({ calls, connections }) => {
  const shared = calls.values();
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, () => renderInTurn(shared)));
  return { answers: calls.length, elapsedMs: performance.now() - start };
});

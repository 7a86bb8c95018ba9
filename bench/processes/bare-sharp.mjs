/** What libvips can do: the sharp calls alone, in a process that does nothing else. */
import { answerWith } from './answer.mjs';
import { render } from './render.mjs';

async function renderInTurn(calls) {
  for (let call = calls.next(); !call.done; call = calls.next()) await render(call.value);
}

answerWith(async ({ calls, connections }) => {
  const shared = calls.values();
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, () => renderInTurn(shared)));
  return { answers: calls.length, elapsedMs: performance.now() - start };
});

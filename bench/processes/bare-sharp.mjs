/** The measure of the pictures: the sharp calls alone, in a process that does nothing else. */
import sharp from 'sharp';
import { answerWith } from './answer.mjs';

sharp.cache(false);
sharp.concurrency(1);

// Plain and by path, with whole images, is the fastest form: libvips shrinks while it loads.
const render = ({ path, width, height, kernel }) =>
  sharp(path).resize(width, height, { fit: 'fill', kernel }).jpeg({ quality: 85, optimiseCoding: false }).toBuffer();

async function renderInTurn(calls) {
  for (let call = calls.next(); !call.done; call = calls.next()) await render(call.value);
}

async function renderAll(calls, inFlight) {
  const shared = calls.values();
  await Promise.all(Array.from({ length: inFlight }, () => renderInTurn(shared)));
}

answerWith(async ({ calls, inFlight, wantsBytes }) => {
  if (wantsBytes) return { bytes: await render(calls[0]) };
  const start = performance.now();
  await renderAll(calls, inFlight);
  return { ms: performance.now() - start };
});

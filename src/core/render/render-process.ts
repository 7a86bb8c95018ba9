/** The program of a render process: receives plans, sends bytes. */

import { ImageError, renderingFailed } from '../image/model/errors.ts';
import type { Render } from '../image/plan/plan-types.ts';
import { collectGarbage } from './collect-garbage.ts';
import { DecodedTiles } from './decoded-tiles.ts';
import { execute } from './execute.ts';
import { prepareDecoder } from './jpeg2000/prepare-decoder.ts';
import {
  decodedBytesVariable,
  type JobMessage,
  type JobResult,
  type PrepareMessage,
  type ResultMessage,
} from './process-messages.ts';

// Ctrl-C reaches all processes of a terminal; the server ends this one after the responses in flight are sent.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));

const tiles = new DecodedTiles(Number(process.env[decodedBytesVariable]));

async function render(plan: Render): Promise<JobResult> {
  try {
    return { kind: 'done', ...(await execute(plan, tiles)) };
  } catch (error) {
    const { code, message, cause } = error instanceof ImageError ? error : renderingFailed(error);
    const { stack, message: reason } = cause instanceof Error ? cause : { stack: '', message: '' };
    // The stack matters only for errors that are not caused by the data.
    return { kind: 'failed', code, message, cause: (code === 'failed' && stack) || reason };
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on('message', async (message: JobMessage | PrepareMessage) => {
  if ('prepare' in message) return prepareDecoder();
  const { id, plan } = message;
  const result = await render(plan);
  process.send?.({ id, result, processorMs: processorMs() } satisfies ResultMessage);
  collectGarbage();
});

/** What runs in a render process: takes plans, gives bytes. */
import type { Render } from '../image/plan/plan-types.ts';
import { DecodedTiles } from './decoded-tiles.ts';
import { execute } from './execute.ts';
import { type Answer, decodedBytesName, type Order, type Rendered } from './process-messages.ts';
import { renderError } from './render-error.ts';

// Ctrl-C reaches all processes of a terminal; the server ends these when the answers that are being made are sent.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));

const tiles = new DecodedTiles(Number(process.env[decodedBytesName]));

async function render(plan: Render): Promise<Rendered> {
  try {
    return { kind: 'done', ...(await execute(plan, tiles)) };
  } catch (error) {
    const { code, message, cause } = await renderError(error, plan);
    const { stack, message: reason } = cause instanceof Error ? cause : { stack: '', message: '' };
    // Where a fault lies in the program matters only of what the data is not to blame for.
    return { kind: 'failed', code, message, cause: (code === 'failed' && stack) || reason };
  }
}

process.on('message', async ({ id, plan }: Order) => {
  process.send?.({ id, rendered: await render(plan) } satisfies Answer);
});

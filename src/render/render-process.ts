/** What runs in a render process: takes plans, gives bytes. */
import { ImageError } from '../image/model/errors.ts';
import type { Render } from '../image/plan/plan.ts';
import { DecodedTiles } from './decoded-tiles.ts';
import { execute } from './execute.ts';
import { type Answer, decodedBytesName, type Order, type Rendered } from './process-messages.ts';

// Ctrl-C reaches all processes of a terminal; the server ends these when the answers that are being made are sent.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));

const tiles = new DecodedTiles(Number(process.env[decodedBytesName]));

async function render(plan: Render): Promise<Rendered> {
  try {
    return { kind: 'done', ...(await execute(plan, tiles)) };
  } catch (error) {
    const { code, message, cause } =
      error instanceof ImageError
        ? error
        : new ImageError('failed', 'The picture could not be made.', { cause: error });
    return { kind: 'failed', code, message, cause: cause instanceof Error ? cause.message : '' };
  }
}

process.on('message', async ({ id, plan }: Order) => {
  process.send?.({ id, rendered: await render(plan) } satisfies Answer);
});

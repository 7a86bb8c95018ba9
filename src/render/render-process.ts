/** What runs in a render process: takes plans, gives bytes. */
import { ImageError, type ImageErrorCode } from '../image/errors.ts';
import type { Render } from '../image/plan.ts';
import { type Derivative, execute } from './execute.ts';

// Ctrl-C reaches all processes of a terminal; the server ends these when the answers that are being made are sent.
process.on('SIGINT', () => undefined);

/** What comes back from a render process, as plain data: errors lose their class on the way. */
export type Rendered =
  | ({ readonly kind: 'done' } & Derivative)
  | { readonly kind: 'failed'; readonly code: ImageErrorCode; readonly message: string; readonly cause: string };

/** Renders one plan. Rejects for what no plan should meet. */
export default async function render(plan: Render): Promise<Rendered> {
  try {
    return { kind: 'done', ...(await execute(plan)) };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    const { code, message, cause } = error;
    return { kind: 'failed', code, message, cause: cause instanceof Error ? cause.message : '' };
  }
}

/** What the server and its render processes tell each other, as plain data. */
import type { ImageErrorCode } from '../image/model/errors.ts';
import type { Render } from '../image/plan/plan-types.ts';
import type { Derivative } from './execute.ts';

/** The variable of the environment that says how many bytes of decoded tiles a process may keep. */
export const decodedBytesName = 'LECTERN_DECODED_BYTES';

/** A plan that is to be carried out. */
export interface Order {
  /** Told apart from the others under way by this number. */
  readonly id: number;
  readonly plan: Render;
}

/** What became of a plan: errors lose their class on the way. */
export type Rendered =
  | ({ readonly kind: 'done' } & Derivative)
  | { readonly kind: 'failed'; readonly code: ImageErrorCode; readonly message: string; readonly cause: string };

export interface Answer {
  readonly id: number;
  readonly rendered: Rendered;
}

/** The flags of `lectern pdf`. */
import type { Flags } from '../common/settings-flags.ts';

export interface PdfFlags extends Flags {
  readonly pages?: string;
  readonly size?: number;
  readonly dpi?: number;
  readonly output?: string;
  readonly language?: string;
}

/** Rules of who may see what. */
import type { Identifier } from '../image/identifier.ts';

/** Who asks. */
export interface Caller {
  /** The client's address as text. */
  readonly address: string;
}

/** Whether a caller may see what has this canonical identifier. */
export type AccessRule = (canonical: Identifier, caller: Caller) => boolean;

/** The library is open to everyone. */
export const everyone: AccessRule = () => true;

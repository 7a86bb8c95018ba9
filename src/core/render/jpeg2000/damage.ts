/** The error of a code-stream that contradicts itself, or the specification. */

/** The message is for the log; it says what is wrong where. */
export class CodeStreamDamage extends Error {
  override readonly name = 'CodeStreamDamage';
}

/** Throws CodeStreamDamage unless `condition` holds. */
export function requireSound(condition: boolean, what: string): asserts condition {
  if (!condition) throw new CodeStreamDamage(what);
}

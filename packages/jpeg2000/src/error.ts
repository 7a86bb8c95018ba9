/** The error of everything that reads JPEG 2000, with what kind of failure it is. */

/**
 * `damaged`: the file contradicts itself or the specification. `unsupported`: samples or colors that are not read. `too-large`: so many
 * parts that finding one takes too long. `memory`: the decoder needs more memory than it may have. The message says what is wrong.
 */
export class Jpeg2000Error extends Error {
  override readonly name = 'Jpeg2000Error';
  readonly code: 'damaged' | 'unsupported' | 'too-large' | 'memory';

  constructor(code: Jpeg2000Error['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const damaged = (what: string, options?: ErrorOptions): Jpeg2000Error =>
  new Jpeg2000Error('damaged', what, options);

export const isDamage = (error: unknown): error is Jpeg2000Error =>
  error instanceof Jpeg2000Error && error.code === 'damaged';

/** Throws Jpeg2000Error `damaged` unless `condition` holds. */
export function requireSound(condition: boolean, what: string): asserts condition {
  if (!condition) throw damaged(what);
}

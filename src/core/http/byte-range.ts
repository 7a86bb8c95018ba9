/** The part of a body that a Range header names (RFC 9110, section 14). */

export type ByteRange =
  | { readonly kind: 'whole' }
  /** Positions in bytes from 0; both are of the part. */
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  /** The part is behind the end of the body. */
  | { readonly kind: 'unsatisfiable' };

const whole: ByteRange = { kind: 'whole' };

/**
 * The range of a body of `length` bytes. As a server may, it sends the whole for several ranges, for units other than bytes
 * and for what is no range.
 */
export function parseByteRange(header: string | undefined, length: number): ByteRange {
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return whole;
  if (from === '') return part(Math.max(0, length - Number(to)), length - 1);
  if (to !== '' && Number(to) < Number(from)) return whole;
  return part(Number(from), to === '' ? length - 1 : Math.min(Number(to), length - 1));
}

const part = (first: number, last: number): ByteRange =>
  first > last ? { kind: 'unsatisfiable' } : { kind: 'part', first, last };

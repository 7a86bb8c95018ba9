/** Vectors of eight numbers of 16 bits. */

/** The first four numbers of two vectors in turns. */
@inline
export function lows(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

/** The last four numbers of two vectors in turns. */
@inline
export function highs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

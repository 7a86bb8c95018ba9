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

/** Two factors for numbers in turns. */
@inline
export function pair(first: i32, second: i32): v128 {
  return i32x4.splat((first & 0xffff) | (second << 16));
}

/** Writes the columns of eight rows as rows. */
@inline
export function storeColumns(to: usize, a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128): void {
  const ae0 = lows(a, e);
  const ae1 = highs(a, e);
  const bf0 = lows(b, f);
  const bf1 = highs(b, f);
  const cg0 = lows(c, g);
  const cg1 = highs(c, g);
  const dh0 = lows(d, h);
  const dh1 = highs(d, h);
  const aceg0 = lows(ae0, cg0);
  const aceg1 = highs(ae0, cg0);
  const aceg2 = lows(ae1, cg1);
  const aceg3 = highs(ae1, cg1);
  const bdfh0 = lows(bf0, dh0);
  const bdfh1 = highs(bf0, dh0);
  const bdfh2 = lows(bf1, dh1);
  const bdfh3 = highs(bf1, dh1);
  v128.store(to, lows(aceg0, bdfh0));
  v128.store(to, highs(aceg0, bdfh0), 16);
  v128.store(to, lows(aceg1, bdfh1), 32);
  v128.store(to, highs(aceg1, bdfh1), 48);
  v128.store(to, lows(aceg2, bdfh2), 64);
  v128.store(to, highs(aceg2, bdfh2), 80);
  v128.store(to, lows(aceg3, bdfh3), 96);
  v128.store(to, highs(aceg3, bdfh3), 112);
}

/** The same numbers in every run: mulberry32. */

/** Whole numbers below 2^32, one a call. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** The values in another order. */
export function shuffled(values, seed = 1) {
  const random = randomFrom(seed);
  const result = [...values];
  for (let last = result.length - 1; last > 0; last--) {
    const other = random() % (last + 1);
    [result[last], result[other]] = [result[other], result[last]];
  }
  return result;
}

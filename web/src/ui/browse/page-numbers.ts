/** Chooses the numbers of a pager. */

/** The first, the last and those around the current one; undefined for a gap. */
export function numbersAround(current: number, last: number): readonly (number | undefined)[] {
  const wanted = [1, current - 2, current - 1, current, current + 1, current + 2, last];
  const numbers = [...new Set(wanted)].filter((number) => number >= 1 && number <= last).sort((a, b) => a - b);
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1] ?? 0;
    // A gap takes as much space as a single number.
    if (number - before === 2) return [number - 1, number];
    return number - before > 2 ? [undefined, number] : [number];
  });
}

/** About how much processor time searches take, in ms: what is found before the asked page is looked at, too. */

const searchMs = 100;
const eachMs = 0.5;

/** Whoever asks for later pages than these is answered from no more. */
const mostLookedAt = 10_000;

/** Of a search for the pages from one on, or of completions, which look at few. */
export const workOfSearch = (from: number, count: number): number =>
  searchMs + eachMs * Math.min(mostLookedAt, from - 1 + count);

/** The few numbers that a series of measurements is reduced to. */

/** The value below which a part of the values lies, between two of them where it falls there. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

/** The middle of the values. */
const median = (values) => quantile(values, 0.5);

const rateOf = ({ answers, elapsedMs }) => (answers * 1000) / elapsedMs;
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** What a side did in all rounds: the median rate a second, and the processor time of an answer in ms. */
const sideOf = (results) => ({
  rate: median(results.map(rateOf)),
  cpuMs: sum(results.map(({ cpuMs }) => cpuMs)) / sum(results.map(({ answers }) => answers)),
});

/** Lectern’s own figures, where there is nothing to compare them with. */
export const alone = (rounds) => ({ lectern: sideOf(rounds.map((round) => round['Lectern'])) });

/**
 * Compares Lectern with a peer over rounds in which both did the same work, one right after the other: what slows the
 * machine down slows both, so the ratio is taken within a round and only then over the rounds.
 */
export function compare(rounds, peer) {
  const ratios = rounds.map((round) => rateOf(round['Lectern']) / rateOf(round[peer]));
  return {
    lectern: sideOf(rounds.map((round) => round['Lectern'])),
    peer: sideOf(rounds.map((round) => round[peer])),
    ratio: median(ratios),
    lower: quantile(ratios, 0.25),
    upper: quantile(ratios, 0.75),
  };
}

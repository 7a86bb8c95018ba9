/** Summarizes series of measurements. */

/** The quantile of the values for a fraction, interpolated between two of them. */
export function quantile(values, fraction) {
  const sorted = [...values].sort((a, b) => a - b);
  const position = fraction * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

export const median = (values) => quantile(values, 0.5);

const rateOf = ({ answers, elapsedMs }) => (answers * 1000) / elapsedMs;
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A system’s results over all rounds: the median rate per second, and the processor time per response in ms. */
const summaryOf = (results) => ({
  rate: median(results.map(rateOf)),
  cpuMs: sum(results.map(({ cpuMs }) => cpuMs)) / sum(results.map(({ answers }) => answers)),
});

/** Lectern’s own figures, without a comparison. */
export const alone = (rounds) => ({ lectern: summaryOf(rounds.map((round) => round['Lectern'])) });

/**
 * Compares Lectern with a peer over rounds in which both did the same work one right after the other. Whatever slows the
 * machine slows both, so the ratio is computed for each round before the median.
 */
export function compare(rounds, peer) {
  const ratios = rounds.map((round) => rateOf(round['Lectern']) / rateOf(round[peer]));
  return {
    lectern: summaryOf(rounds.map((round) => round['Lectern'])),
    peer: summaryOf(rounds.map((round) => round[peer])),
    ratio: median(ratios),
    lower: quantile(ratios, 0.25),
    upper: quantile(ratios, 0.75),
  };
}

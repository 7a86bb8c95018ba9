/** The few numbers that a series of measurements is reduced to. */

/** The middle of the values; the mean of the middle two where their count is even. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The lower and the upper quartile, by the nearest rank. */
export function quartiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => sorted[Math.round(part * (sorted.length - 1))];
  return { lower: at(0.25), upper: at(0.75) };
}

/** Processor time for one answer, in ms, over all rounds of a side; NaN where it is not known. */
function cpuMsEach(results) {
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  return total('cpuMs') / total('answers');
}

/**
 * Sums up rounds in which both sides did the same work, one right after the other: what slows the machine down slows
 * both, so the ratio is taken within a round and only then over the rounds. Each side of a round has its answers, the
 * time from the first request to the last answer, and the processor time of the process that answered.
 */
export function summarize(rounds) {
  const rateOf = ({ answers, elapsedMs }) => (answers * 1000) / elapsedMs;
  const ratios = rounds.map(({ lectern, bare }) => rateOf(lectern) / rateOf(bare));
  const cpu = {
    lectern: cpuMsEach(rounds.map(({ lectern }) => lectern)),
    bare: cpuMsEach(rounds.map(({ bare }) => bare)),
  };
  return {
    lectern: median(rounds.map(({ lectern }) => rateOf(lectern))),
    bare: median(rounds.map(({ bare }) => rateOf(bare))),
    ratio: median(ratios),
    quartiles: quartiles(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    rounds: rounds.length,
    cpu: { ...cpu, ratio: cpu.bare / cpu.lectern },
  };
}

/** The cores that a side would have kept busy at its rate: more than there are can't be, so such a rate is not right. */
export const busyCores = (rate, cpuMs) => (rate * cpuMs) / 1000;

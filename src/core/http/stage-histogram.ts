/** How long the stages of requests take, as a histogram of Prometheus: counted here, so that no library is needed before a scrape. */
import { AnswerCounts } from './answer-counts.ts';
import { type Measures, type Stage, stages } from './measures.ts';

/** In seconds: from a tile out of a stored one to a picture at the deadline. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30] as const;

interface Durations {
  /** How many took at most the bound of the same index, and more than the one before; the last: more than all bounds. */
  readonly counts: number[];
  sumSeconds: number;
}

export interface StageHistogram {
  observe(stage: Stage, seconds: number): void;
  /** The metric in the text form of Prometheus; a stage that no request had is left out. */
  text(): string;
}

function samplesOf(name: string, stage: Stage, { counts, sumSeconds }: Durations): readonly string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return `${name}_bucket{le="${bounds[index] ?? '+Inf'}",stage="${stage}"} ${total}`;
  });
  return [...buckets, `${name}_sum{stage="${stage}"} ${sumSeconds}`, `${name}_count{stage="${stage}"} ${total}`];
}

export function createStageHistogram(name: string, help: string): StageHistogram {
  const byStage = new Map<Stage, Durations>();
  return {
    observe(stage, seconds) {
      const durations = byStage.get(stage) ?? { counts: [...bounds, 0].map(() => 0), sumSeconds: 0 };
      byStage.set(stage, durations);
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      const index = bucket < 0 ? bounds.length : bucket;
      durations.counts[index] = (durations.counts[index] ?? 0) + 1;
      durations.sumSeconds += seconds;
    },
    text() {
      const samples = stages.flatMap((stage) => {
        const durations = byStage.get(stage);
        return durations === undefined ? [] : samplesOf(name, stage, durations);
      });
      return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...samples, ''].join('\n');
    },
  };
}

/** Nothing is measured yet. */
export function createMeasures(): Measures {
  const histogram = createStageHistogram(
    'lectern_stage_seconds',
    'Time of requests by stage. Answers that need no waiting, from memory or as stored tiles, are counted in lectern_answers_total alone.',
  );
  return {
    counts: new AnswerCounts(),
    observe: (stage, ms) => histogram.observe(stage, ms / 1000),
    histogramText: () => histogram.text(),
  };
}

/** The metrics of running processes, recorded while something fails, and the alerts of `deploy/alerts.yaml` that they raise by promtool. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { findProgram } from '../../scripts/test-needs.mjs';

const rules = fileURLToPath(new URL('../../deploy/alerts.yaml', import.meta.url));

/** A scrape of this time in ms stands for a minute of Prometheus, whose rules wait for minutes: a fault of 12 s is one of 24 minutes. */
const scrapeMs = 500;

/** What is scraped: the name of an instance, and the text of its metrics; undefined where it does not answer. */
export interface Scraped {
  readonly instance: string;
  read(): Promise<string | undefined>;
}

export interface Recording {
  /** Resolves to the alerts that were raised since the start, in alphabetical order. */
  stop(): Promise<readonly string[]>;
}

/** The names that the rules read. */
const metrics = new Set(readFileSync(rules, 'utf8').match(/\b(?:lectern|process|nodejs)_\w+/g));

/** The samples of a text of metrics that the rules read, by their series with the labels of Prometheus. */
function samplesOf(text: string, instance: string): ReadonlyMap<string, string> {
  const samples = new Map<string, string>();
  for (const [, name = '', labels = '', value = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    if (!metrics.has(name)) continue;
    const all = [`job="lectern",instance="${instance}"`, ...(labels === '' ? [] : [labels])].join();
    samples.set(`${name}{${all}}`, value);
  }
  return samples;
}

/** The values of a series at all scrapes. As in Prometheus, a series that is no longer there ends at once, and not after five minutes. */
const valuesOf = (scrapes: readonly ReadonlyMap<string, string>[], name: string): string =>
  scrapes.map((scrape, index) => scrape.get(name) ?? (scrapes[index - 1]?.has(name) ? 'stale' : '_')).join(' ');

/** Which alerts fire at any of the minutes, as promtool computes it. */
function raisedBy(scrapes: readonly ReadonlyMap<string, string>[]): readonly string[] {
  const names = new Set(scrapes.flatMap((scrape) => [...scrape.keys()]));
  const series = [...names].map((name) => ({ series: name, values: valuesOf(scrapes, name) }));
  const expr = 'count by (alertname) (ALERTS{alertstate="firing"})';
  const minutes = scrapes.map((_, minute) => ({ expr, eval_time: `${minute}m`, exp_samples: [] }));
  const tests = [{ interval: '1m', input_series: series, promql_expr_test: minutes }];
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-recorded-'));
  try {
    const file = path.join(folder, 'test.yaml');
    writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    const options = { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 } as const;
    const { status, stdout, stderr, error } = spawnSync(
      findProgram('promtool') ?? 'promtool',
      ['test', 'rules', file],
      options,
    );
    if (error) throw error;
    const found = [...(stdout + stderr).matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name);
    // Where promtool finds none, the test of none succeeds.
    if (found.length === 0 && status !== 0) throw new Error(`promtool fails: ${stdout}${stderr}`);
    return [...new Set(found)].sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The alerts of a server that tells the same metrics for some minutes. */
export const alertsOf = (text: string, minutes: number): readonly string[] =>
  raisedBy(Array.from({ length: minutes }, () => samplesOf(text, 'server')));

export function record(instances: () => readonly Scraped[]): Recording {
  const scrapes: Map<string, string>[] = [];
  let isOver = false;
  const scrape = async (): Promise<void> => {
    const all = new Map<string, string>();
    await Promise.all(
      instances().map(async ({ instance, read }) => {
        for (const [name, value] of samplesOf((await read()) ?? '', instance)) all.set(name, value);
      }),
    );
    scrapes.push(all);
  };
  const running = (async () => {
    while (!isOver) {
      const next = new Promise((resolve) => setTimeout(resolve, scrapeMs));
      await scrape();
      await next;
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      return raisedBy(scrapes);
    },
  };
}

/** The guide to operating and the files of `deploy/`: they name metrics, settings and addresses that exist. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reloadable } from '../../src/app/settings/reload.ts';
import { settingsSchema } from '../../src/app/settings/settings.ts';
import { variablesOf } from '../../src/config/sources/environment.ts';
import { settingPaths } from '../../src/config/sources/schema-shape.ts';
import { errorRules } from '../../src/core/http/error-responses.ts';
import { type RunningApp, startApp } from './running-app.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const guide = read('docs/guide/operating.md');
const unit = read('deploy/lectern.service');
const compose = read('deploy/compose.yaml');
const settings = settingPaths(settingsSchema).map((path) => path.join('.'));

let app: RunningApp;
let exported: ReadonlySet<string>;

beforeAll(async () => {
  app = await startApp();
  const text = (await app.get('/metrics')).body.toString();
  exported = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
});
afterAll(() => app.close());

/** The names of metrics in a text, without those that Prometheus derives from histograms. */
const metricsIn = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:lectern|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name.replace(/_bucket$/, '')),
  ),
];

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

describe('the dashboard', () => {
  const { panels } = JSON.parse(read('deploy/grafana.json')) as Dashboard;

  it.each(panels.map(({ title, targets }) => [title, targets] as const))(
    '%s: shows metrics that exist',
    (_, targets) => {
      for (const { expr } of targets) {
        const names = metricsIn(expr);
        expect(names.length).toBeGreaterThan(0);
        expect(names.filter((name) => !exported.has(name))).toEqual([]);
      }
    },
  );

  it('shows every metric of the server but its version and sizes of tables', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))));
    const left = ['build_info', 'known_folders', 'known_images', 'cache_entries', 'cache_evictions_total'];
    const own = [...exported].filter((name) => name.startsWith('lectern_') && !shown.has(name));
    expect(own.filter((name) => !left.includes(name.replace('lectern_', '')))).toEqual([]);
  });
});

describe('the alerts', () => {
  const { groups } = parse(read('deploy/alerts.yaml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  it.each(rules.map(({ alert, expr }) => [alert, expr] as const))('%s asks for metrics that exist', (_, expr) => {
    const names = metricsIn(expr);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !exported.has(name))).toEqual([]);
  });

  it('and the dashboard count every status by which a request fails', () => {
    const failing = [...new Set(Object.values(errorRules).map(({ status }) => status))].filter(
      (status) => status >= 500 && status !== 501,
    );
    const pattern = `status=~"${failing.sort().join('|')}"`;
    expect(pattern).toContain('502');
    expect(rules.find(({ alert }) => alert === 'LecternFailures')?.expr).toContain(pattern);
    expect(read('deploy/grafana.json')).toContain(JSON.stringify(pattern).slice(1, -1));
    expect(guide).toContain(pattern.replaceAll('|', '\\|'));
  });

  it('are all in the guide', () =>
    expect(rules.filter(({ alert }) => !guide.includes(`\`${alert}\``)).map(({ alert }) => alert)).toEqual([]));
});

describe('the guide to operating', () => {
  it('names metrics that exist', () => expect(metricsIn(guide).filter((name) => !exported.has(name))).toEqual([]));

  it('names settings that exist', () => {
    const named = [...guide.matchAll(/`([a-z]+(?:\.[a-zA-Z]+)+)`/g)].map(([, name = '']) => name);
    const groups = new Set(settings.map((name) => name.split('.')[0]));
    expect(named.length).toBeGreaterThan(15);
    expect(
      named.filter((name) => groups.has(name.split('.')[0]) && !settings.includes(name) && !/\.json$/.test(name)),
    ).toEqual([]);
  });

  it('lists the settings that SIGHUP takes on, which exist', () => {
    const list = /taken on at once:\n([\s\S]*?)\.\n/.exec(guide)?.[1] ?? '';
    expect([...list.matchAll(/`([\w.]+)`/g)].map(([, name]) => name)).toEqual(reloadable);
    expect(reloadable.filter((name) => !settings.includes(name))).toEqual([]);
  });
});

describe('deploy/', () => {
  const drainMs = settingsSchema.parse({ library: { folders: ['/'] } }).http.drainMs;
  const secondsIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);

  it('stops the server later than it drains', () => {
    expect(secondsIn(unit, /^TimeoutStopSec=(\d+)$/m) * 1000).toBeGreaterThan(drainMs + 1000);
    expect(secondsIn(compose, /stop_grace_period: (\d+)s/) * 1000).toBeGreaterThan(drainMs + 1000);
  });

  it('names variables that exist', () => {
    const names = variablesOf(settingsSchema).map(({ name }) => name);
    const used = [...compose.matchAll(/LECTERN_\w+/g)].map(([name]) => name);
    expect(used.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('gives the unit and the container the folders that the image has', () => {
    expect(read('Dockerfile')).toContain('install -d -o node -g node /var/cache/lectern');
    expect(compose).toContain('cache:/var/cache/lectern');
    expect(unit).toMatch(/^CacheDirectory=lectern$/m);
  });
});

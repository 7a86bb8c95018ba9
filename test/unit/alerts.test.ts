// @module-tag prometheus
/** The alerts of `deploy/alerts.yaml`: each is raised by its fault and by nothing else, as Prometheus itself computes it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { findProgram } from '../../scripts/test-needs.mjs';

const rules = fileURLToPath(new URL('../../deploy/alerts.yaml', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-alerts-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const promtool = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(findProgram('promtool') ?? 'promtool', args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

/** Values of series at each minute, in the notation of promtool. */
type Series = Readonly<Record<string, string>>;

const steady = (value: number): string => `${value}x120`;
const rising = (each: number): string => `0+${each}x120`;
/** One more every four minutes. */
const everyFourth = Array.from({ length: 121 }, (_, minute) => Math.floor(minute / 4)).join(' ');
const onePod = 'job="lectern",instance="pod-1"';

/** What a server tells that has nothing to complain of. */
const healthy: Series = {
  [`lectern_connections{${onePod}}`]: steady(10),
  [`up{${onePod}}`]: steady(1),
  [`process_start_time_seconds{${onePod}}`]: '1e9x60 2e9x60',
  [`lectern_build_info{${onePod},version="1"}`]: steady(1),
  [`lectern_answers_total{${onePod},kind="picture",status="200"}`]: rising(6000),
  [`lectern_answers_total{${onePod},kind="picture",status="404"}`]: rising(300),
  [`lectern_answers_total{${onePod},kind="picture",status="502"}`]: rising(2),
  [`lectern_stage_seconds_bucket{${onePod},stage="total",le="0.5"}`]: rising(600),
  [`lectern_stage_seconds_bucket{${onePod},stage="total",le="+Inf"}`]: rising(600),
  [`lectern_root_answers{${onePod},root="root 1"}`]: steady(1),
  [`lectern_degraded{${onePod},part="bucket scans"}`]: steady(0),
  [`lectern_degraded{${onePod},part="cache"}`]: steady(0),
  [`lectern_degraded{${onePod},part="copies"}`]: steady(0),
  [`lectern_degraded{${onePod},part="catalogue"}`]: steady(0),
  [`lectern_degraded{${onePod},part="search"}`]: steady(0),
  [`lectern_store_requests_total{${onePod},bucket="scans",operation="get"}`]: rising(600),
  [`lectern_store_failures_total{${onePod},bucket="scans",operation="get",reason="server-error"}`]: rising(1),
  [`lectern_store_request_seconds_bucket{${onePod},bucket="scans",operation="get",le="0.1"}`]: rising(600),
  [`lectern_store_request_seconds_bucket{${onePod},bucket="scans",operation="get",le="+Inf"}`]: rising(600),
  [`lectern_store_fallback{${onePod},bucket="scans"}`]: steady(0),
  [`lectern_copies{${onePod}}`]: steady(100),
  [`lectern_copies_evictions_total{${onePod}}`]: rising(1),
  [`lectern_copies_faults_total{${onePod},reason="full"}`]: steady(0),
  [`lectern_cache_faults_total{${onePod}}`]: steady(3),
  [`lectern_pyramids_damaged_total{${onePod}}`]: steady(0),
  [`lectern_pyramid_queue_shared{${onePod}}`]: steady(1),
  [`lectern_build_queue_waiting{${onePod},queue="pyramids-1"}`]: steady(40),
  [`lectern_build_queue_building{${onePod},queue="pyramids-1"}`]: steady(2),
  [`lectern_build_queue_failed{${onePod},queue="pyramids-1"}`]: steady(5),
  'lectern_build_jobs{job="lectern-worker",instance="worker-1"}': steady(2),
  [`lectern_build_jobs{${onePod}}`]: steady(0),
  [`lectern_search_full{${onePod}}`]: steady(0),
  [`process_resident_memory_bytes{${onePod}}`]: steady(1e9),
  [`lectern_render_memory_bytes{${onePod}}`]: steady(1e9),
  [`lectern_memory_limit_bytes{${onePod}}`]: steady(4e9),
  [`lectern_render_processes_ended_total{${onePod},reason="timeout"}`]: steady(1),
  [`lectern_render_processes_ended_total{${onePod},reason="crash"}`]: steady(1),
  [`lectern_render_refusals_total{${onePod},reason="late"}`]: steady(7),
  [`lectern_outgoing_refusals_total{${onePod}}`]: steady(0),
  [`lectern_refused_requests_total{${onePod},standing="stranger"}`]: rising(600),
  [`lectern_refused_requests_total{${onePod},standing="reader"}`]: '0x60 9x60',
  [`lectern_refused_requests_total{${onePod},standing="known"}`]: steady(40),
  [`lectern_budget_refusals_total{${onePod},budget="strangers"}`]: '0+60x60 3600x50 3660x10',
  [`nodejs_eventloop_lag_p99_seconds{${onePod}}`]: steady(0.02),
  [`lectern_connections_closed_total{${onePod},reason="limit"}`]: steady(0),
  [`lectern_configuration_reloads_total{${onePod},outcome="refused"}`]: steady(0),
};

const none: Series = {};

/** What is otherwise in each fault, and the alerts that it raises, all of them. */
const faults: readonly (readonly [fault: string, changed: Series | 'no metrics', raised: readonly string[]])[] = [
  ['nothing', none, []],
  ['no server', 'no metrics', ['LecternGone']],
  ['one of the servers that is gone', { [`up{${onePod}}`]: steady(0) }, ['LecternInstanceGone']],
  [
    'a server that ends again and again',
    { [`process_start_time_seconds{${onePod}}`]: rising(60) },
    ['LecternRestarts'],
  ],
  ['a part that fails', { [`lectern_degraded{${onePod},part="another"}`]: steady(1) }, ['LecternDegraded']],
  [
    'a store that fails for one of ten requests',
    {
      [`lectern_store_failures_total{${onePod},bucket="scans",operation="get",reason="connection"}`]: rising(60),
      [`lectern_answers_total{${onePod},kind="picture",status="502"}`]: rising(600),
    },
    ['LecternFailures', 'LecternStoreFailing'],
  ],
  [
    'a store that is gone',
    {
      [`lectern_degraded{${onePod},part="bucket scans"}`]: steady(1),
      [`lectern_root_answers{${onePod},root="root 1"}`]: steady(0),
      [`lectern_store_failures_total{${onePod},bucket="scans",operation="get",reason="connection"}`]: rising(600),
    },
    ['LecternRootGone', 'LecternStoreFailing', 'LecternStoreGone'],
  ],
  [
    'a store whose fallback endpoint answers for it',
    { [`lectern_store_fallback{${onePod},bucket="scans"}`]: steady(1) },
    ['LecternStoreFallback'],
  ],
  [
    'a store that has too much to do',
    { [`lectern_store_failures_total{${onePod},bucket="scans",operation="get",reason="throttled"}`]: rising(60) },
    ['LecternStoreSaturated'],
  ],
  [
    'a slow store',
    {
      [`lectern_store_request_seconds_bucket{${onePod},bucket="scans",operation="get",le="0.1"}`]: rising(60),
      [`lectern_store_request_seconds_bucket{${onePod},bucket="scans",operation="get",le="2.5"}`]: rising(600),
      [`lectern_answers_total{${onePod},kind="picture",status="504"}`]: rising(40),
    },
    ['LecternStoreSlow', 'LecternTimeouts'],
  ],
  [
    'a disk that is full of copies',
    { [`lectern_copies_faults_total{${onePod},reason="full"}`]: rising(2) },
    ['LecternCopiesDiskFull'],
  ],
  [
    'a disk that is still full, while nobody asks for copies',
    { [`lectern_degraded{${onePod},part="copies"}`]: steady(1) },
    ['LecternCopiesDiskFull'],
  ],
  [
    'copies that are replaced at once',
    { [`lectern_copies_evictions_total{${onePod}}`]: rising(20) },
    ['LecternCopiesTooSmall'],
  ],
  [
    'a disk of the cache that is full',
    { [`lectern_degraded{${onePod},part="cache"}`]: steady(1) },
    ['LecternCacheFails'],
  ],
  ['a disk of the cache that fails', { [`lectern_cache_faults_total{${onePod}}`]: rising(1) }, ['LecternCacheFails']],
  ['a disk that damages files', { [`lectern_pyramids_damaged_total{${onePod}}`]: rising(1) }, ['LecternDiskDamages']],
  [
    'PostgreSQL that is down',
    { [`lectern_degraded{${onePod},part="catalogue"}`]: steady(1) },
    ['LecternCatalogueDown'],
  ],
  ['Redis that is down', { [`lectern_pyramid_queue_shared{${onePod}}`]: steady(0) }, ['LecternRedisDown']],
  [
    'a queue from which nobody builds',
    { [`lectern_build_queue_building{${onePod},queue="pyramids-1"}`]: steady(0) },
    ['LecternQueueStuck'],
  ],
  [
    'workers that are gone',
    {
      'lectern_build_jobs{job="lectern-worker",instance="worker-1"}': '2x10 stale',
      [`lectern_build_queue_building{${onePod},queue="pyramids-1"}`]: steady(0),
    },
    ['LecternQueueStuck', 'LecternWorkerGone'],
  ],
  [
    'pyramids that can’t be built',
    { [`lectern_build_queue_failed{${onePod},queue="pyramids-1"}`]: rising(1) },
    ['LecternBuildsFail'],
  ],
  [
    'an index of texts that is full',
    {
      [`lectern_search_full{${onePod}}`]: steady(1),
      [`lectern_degraded{${onePod},part="search"}`]: steady(1),
    },
    ['LecternSearchFull'],
  ],
  [
    'an index that can’t be written',
    { [`lectern_degraded{${onePod},part="search"}`]: steady(1) },
    ['LecternSearchFails'],
  ],
  ['memory near its limit', { [`lectern_render_memory_bytes{${onePod}}`]: steady(2.8e9) }, ['LecternMemory']],
  [
    'pictures that take too long',
    {
      [`lectern_render_processes_ended_total{${onePod},reason="timeout"}`]: rising(1),
      [`lectern_answers_total{${onePod},kind="picture",status="504"}`]: rising(40),
      [`lectern_stage_seconds_bucket{${onePod},stage="total",le="0.5"}`]: rising(500),
      [`lectern_stage_seconds_bucket{${onePod},stage="total",le="15"}`]: rising(600),
    },
    ['LecternRenderTimeouts', 'LecternSlow', 'LecternTimeouts'],
  ],
  [
    'decoders that crash',
    { [`lectern_render_processes_ended_total{${onePod},reason="crash"}`]: rising(1) },
    ['LecternRenderCrashes'],
  ],
  [
    'more to do than can be done',
    { [`lectern_render_refusals_total{${onePod},reason="late"}`]: rising(10) },
    ['LecternOverloaded'],
  ],
  [
    'crawlers that ask for more than their budget',
    { [`lectern_budget_refusals_total{${onePod},budget="strangers"}`]: rising(60) },
    ['LecternBudgetBinds'],
  ],
  [
    'a budget that refuses now and then, for long',
    { [`lectern_budget_refusals_total{${onePod},budget="strangers"}`]: everyFourth },
    ['LecternBudgetBinds'],
  ],
  [
    'readers who are refused',
    { [`lectern_refused_requests_total{${onePod},standing="reader"}`]: rising(2) },
    ['LecternReadersRefused'],
  ],
  [
    'a harvester with a token that is refused',
    { [`lectern_refused_requests_total{${onePod},standing="known"}`]: rising(20) },
    ['LecternReadersRefused'],
  ],
  ['a process that is busy', { [`nodejs_eventloop_lag_p99_seconds{${onePod}}`]: steady(0.4) }, ['LecternBusy']],
  [
    'too many connections',
    { [`lectern_connections_closed_total{${onePod},reason="limit"}`]: rising(1) },
    ['LecternConnectionsFull'],
  ],
  [
    'a configuration with errors',
    { [`lectern_configuration_reloads_total{${onePod},outcome="refused"}`]: '0x110 1x10' },
    ['LecternReloadRefused'],
  ],
];

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}

const names = (parse(readFileSync(rules, 'utf8')) as RuleFile).groups.flatMap((group) =>
  group.rules.map(({ alert }) => alert),
);

/** Which alerts are raised after an hour and 59 minutes, by promtool: those for which it finds that there is one. */
function raisedBy(changed: Series | 'no metrics'): readonly string[] {
  const series = changed === 'no metrics' ? {} : { ...healthy, ...changed };
  const test = {
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: '119m',
            exp_samples: [],
          },
        ],
      },
    ],
  };
  const file = path.join(scratch, 'test.yaml');
  writeFileSync(file, stringify(test));
  const { output } = promtool('test', 'rules', file);
  return [...new Set([...output.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name))].sort();
}

describe('the alerts', () => {
  it('are rules of Prometheus', () => expect(promtool('check', 'rules', rules)).toMatchObject({ status: 0 }));

  it.each(faults)('are raised by %s', (_, changed, raised) => expect(raisedBy(changed)).toEqual(raised));

  it('are each raised by a fault', () => {
    const raised = new Set(faults.flatMap(([, , alerts]) => alerts));
    expect(names.filter((name) => !raised.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

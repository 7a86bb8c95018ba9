/** `/healthz`, `/readyz` and `/metrics`: what they say, to whom, and that it names nothing of the host. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertsOf } from '../robustness/recorded-metrics.ts';
import { goldenFolders, type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp({ http: { contextPath: '/digilib', trustedProxies: ['127.0.0.2'] } });
});
afterAll(() => app.close());

const textOf = ({ body }: ReceivedResponse): string => body.toString();

/** The value of a metric with its labels, as they are written. */
const sampleOf = (text: string, sample: string): number => {
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? 0 : Number(line.slice(sample.length + 1));
};

const metrics = async (from = app): Promise<string> => textOf(await from.get('/metrics'));

describe.each(['', '/digilib'])('below %j', (prefix) => {
  it('the server says that it lives', async () => {
    const answer = await app.get(`${prefix}/healthz`);
    expect([answer.status, textOf(answer), answer.headers['cache-control']]).toEqual([200, 'alive\n', 'no-store']);
    expect((await app.get(`${prefix}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });

  it('the server says that its parts are ready, without paths of the host', async () => {
    const answer = await app.get(`${prefix}/readyz`);
    expect(answer.status).toBe(200);
    const { ready, notReady, checks } = JSON.parse(textOf(answer));
    expect([ready, notReady]).toEqual([true, []]);
    expect(checks).toEqual(
      expect.arrayContaining([
        { name: 'server', state: 'serves' },
        { name: 'root 1', state: 'answers' },
        { name: 'root 2', state: 'answers' },
        expect.objectContaining({ name: 'renderer' }),
      ]),
    );
    for (const folder of goldenFolders) expect(textOf(answer)).not.toContain(folder);
  });

  it('metrics are in the form of Prometheus', async () => {
    const answer = await app.get(`${prefix}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=/);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    for (const line of textOf(answer)
      .split('\n')
      .filter((each) => each !== '')) {
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? -?(?:[\d.]+(?:e[+-]?\d+)?|N[aA][nN]|\+Inf|Inf))$/,
      );
    }
    for (const folder of goldenFolders) expect(textOf(answer)).not.toContain(folder);
  });
});

describe('metrics', () => {
  it('count every answer by kind and status, also those of the fast path', async () => {
    const before = await metrics();
    const picture = '/digilib/Scaler?fn=photos/land3000x2000&dw=77';
    const first = await app.get(picture);
    await app.get(picture);
    await app.get(picture, { headers: { 'if-none-match': String(first.headers.etag) } });
    await app.get(picture, { method: 'HEAD' });
    await app.get('/digilib/Scaler?fn=none&mo=errcode');
    await app.get('/digilib/iiif/3/photos!land3000x2000.jpg/info.json');
    await app.get('/digilib/api/dlInfo-json.jsp?fn=photos/land3000x2000');
    await app.get('/elsewhere');
    const after = await metrics();
    const added = (labels: string): number =>
      sampleOf(after, `lectern_answers_total{${labels}}`) - sampleOf(before, `lectern_answers_total{${labels}}`);
    expect(added('kind="picture",status="200"')).toBe(3);
    expect(added('kind="picture",status="304"')).toBe(1);
    expect(added('kind="picture",status="404"')).toBe(1);
    expect(added('kind="info-json",status="200"')).toBe(1);
    expect(added('kind="info-object",status="200"')).toBe(1);
    expect(added('kind="other",status="404"')).toBe(1);
    expect(sampleOf(after, 'lectern_cache_misses_total') - sampleOf(before, 'lectern_cache_misses_total')).toBe(1);
  });

  it('have few labels, whatever is requested', async () => {
    for (let index = 0; index < 50; index++) await app.get(`/digilib/iiif/3/none-${index}/full/max/0/default.jpg`);
    const text = await metrics();
    expect(text).not.toContain('none-');
    expect(text.split('\n').filter((line) => line.startsWith('lectern_')).length).toBeLessThan(300);
  });

  it('measure the event loop and the process', async () => {
    const text = await metrics();
    expect(sampleOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    expect(sampleOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(sampleOf(text, 'lectern_cache_max_bytes{tier="memory"}')).toBeGreaterThan(1e6);
  });

  it('say nothing of what the settings leave out, not 0 either, which would raise an alert', async () => {
    const text = await metrics();
    expect(text).toContain('\n# TYPE lectern_pyramid_queue_shared gauge\n');
    for (const name of ['pyramid_queue_shared', 'copies', 'copies_max_bytes', 'copies_evictions_total'])
      expect(text).not.toMatch(new RegExp(`^lectern_${name} `, 'm'));
  });

  it('of a server with folders alone raise no alert', { tags: 'prometheus' }, async () => {
    const ofMachine = ['LecternBusy', 'LecternMemory'];
    expect(alertsOf(await metrics(), 70).filter((alert) => !ofMachine.includes(alert))).toEqual([]);
  });
});

describe('those who may see metrics', () => {
  it('are not those whom a proxy serves', async () => {
    const forwarded = await app.get('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect([forwarded.status, textOf(forwarded)]).toEqual([403, expect.stringContaining('http.metricsFrom')]);
    const rebound = await app.get('/metrics', { headers: { host: 'evil.example' } });
    expect(rebound.status).toBe(403);
  });

  it('are the clients of a trusted proxy where they are listed', async () => {
    const proxied = await startApp({ http: { trustedProxies: ['127.0.0.1'], metricsFrom: ['10.1.0.0/16'] } });
    const from = async (address: string): Promise<number> =>
      (await proxied.get('/metrics', { headers: { 'x-forwarded-for': address } })).status;
    expect([await from('10.1.2.3'), await from('10.2.2.3'), await from('127.0.0.1')]).toEqual([200, 403, 403]);
    await proxied.close();
  });

  it('are nobody where the list is empty', async () => {
    const closed = await startApp({ http: { metricsFrom: [] } });
    expect((await closed.get('/metrics')).status).toBe(404);
    expect((await closed.get('/healthz')).status).toBe(200);
    await closed.close();
  });
});

describe('the times of a request', () => {
  const timing = ({ headers }: ReceivedResponse): string => String(headers['server-timing'] ?? '');

  it('are told in Server-Timing where the picture was rendered, and nowhere else', async () => {
    const picture = '/digilib/Scaler?fn=photos/land3000x2000&dw=81';
    expect(timing(await app.get(picture))).toMatch(/^admission;dur=[\d.]+, queue;dur=[\d.]+, render;dur=[\d.]+$/);
    expect(timing(await app.get(picture))).toBe('');
    const slow = `http://127.0.0.1:${app.port}${picture.replace('81', '82')}`;
    expect(timing(await app.get(slow))).toMatch(/^admission;.*render;dur=/);
    expect(timing(await app.get('/digilib/api/dlInfo-json.jsp?fn=photos/land3000x2000'))).toBe('');
  });

  it('are counted by stage', async () => {
    const before = await metrics();
    await app.get('/digilib/Scaler?fn=photos/land3000x2000&dw=83');
    // The stages are recorded when the connection has sent the last byte.
    await app.get('/healthz');
    const after = await metrics();
    for (const stage of ['admission', 'queue', 'render', 'send', 'total']) {
      const sample = `lectern_stage_seconds_count{stage="${stage}"}`;
      expect(sampleOf(after, sample), stage).toBeGreaterThan(sampleOf(before, sample));
    }
  });

  it('are not told where the setting says so', async () => {
    const silent = await startApp({ http: { serverTiming: false } });
    expect(timing(await silent.get('/Scaler?fn=photos/land3000x2000&dw=84'))).toBe('');
    await silent.close();
  });
});

describe('a root that is not there any more', () => {
  it('makes the server not ready, by its name alone, until it is back', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lectern-ready-'));
    const maps = path.join(folder, 'elsewhere');
    mkdirSync(maps);
    const app = await startApp({ library: { virtualFolders: [{ link: 'maps', folder: maps }] } });
    const readiness = async (): Promise<readonly [number, readonly string[]]> => {
      const answer = await app.get('/readyz');
      return [answer.status, (JSON.parse(textOf(answer)) as { notReady: readonly string[] }).notReady];
    };
    expect(await readiness()).toEqual([200, []]);
    renameSync(maps, `${maps}-moved`);
    expect(await readiness()).toEqual([503, ['virtual folder maps']]);
    expect(await metrics(app)).toContain('\nlectern_root_answers{root="virtual folder maps"} 0\n');
    expect((await app.get('/healthz')).status).toBe(200);
    renameSync(`${maps}-moved`, maps);
    expect(await readiness()).toEqual([200, []]);
    await app.close();
    rmSync(folder, { recursive: true });
  });
});

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { checkScheme } from '../../src/cli/check/address-checks.ts';
import { checkServer } from '../../src/cli/check/check.ts';
import {
  type Finding,
  findImage,
  formatFinding,
  NoAnswer,
  type Probe,
  probeWithin,
  type Reply,
} from '../../src/cli/check/probe.ts';
import { type RunningApp, startApp } from './running-app.ts';
import { type Passed, type ProxyRules, startProxy } from './test-proxy.ts';

const probe = probeWithin(5000);

let app: RunningApp;
let behind: RunningApp;
beforeAll(async () => {
  app = await startApp({ http: { contextPath: '/digilib' } });
  behind = await startApp({ http: { contextPath: '/digilib', trustedProxies: ['127.0.0.1'] } });
});
afterAll(async () => {
  await app.close();
  await behind.close();
});

async function findingsAt(base: string, image?: string, asking: Probe = probe): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of checkServer({ base, probe: asking }, image)) findings.push(finding);
  return findings;
}

const outcomesOf = (findings: readonly Finding[], outcome: Finding['outcome']): readonly string[] =>
  findings.filter((finding) => finding.outcome === outcome).map(({ name }) => name);

const without =
  (...names: readonly string[]) =>
  (passed: Passed): Passed => ({
    ...passed,
    headers: Object.fromEntries(Object.entries(passed.headers).filter(([name]) => !names.includes(name))),
  });

const changed = (passed: Passed, pattern: RegExp, by: string): Passed => ({
  ...passed,
  body: Buffer.from(passed.body.toString('utf8').replace(pattern, by)),
});

const isJson = ({ headers }: Passed): boolean => headers['content-type']?.startsWith('application/json') ?? false;

/** The Host header that proxies send by default: the address of the server behind. */
const upstreamHost: ProxyRules['headers'] = (headers) => ({ ...headers, host: `127.0.0.1:${app.port}` });

interface Breakage {
  readonly what: string;
  readonly rules: ProxyRules;
  /** The checks that detect it, in order. */
  readonly bad: readonly string[];
  /** The advice of the first of them. */
  readonly advice: RegExp;
}

const slashes = '%2F';
const addresses = ['base.url', 'info.json 3', 'info.json 2'];

const breakages: readonly Breakage[] = [
  {
    what: 'the host is not passed on',
    rules: { headers: upstreamHost },
    bad: addresses,
    advice: /proxy_set_header Host/,
  },
  {
    what: 'another path is passed on',
    rules: { path: (path) => path.replace(/^\/digilib/, '/digilib/.') },
    bad: ['info object'],
    advice: /context path included/,
  },
  {
    what: 'a member of the info object is missing',
    rules: { answer: (passed) => changed(passed, /"rot":"0.0",/, '') },
    bad: ['info object'],
    advice: /Another server answers/,
  },
  {
    what: 'a member of the info object is a number',
    rules: { answer: (passed) => changed(passed, /"dw":"0"/, '"dw":0') },
    bad: ['info object'],
    advice: /Another server answers/,
  },
  {
    what: 'encoded slashes are decoded',
    rules: { path: (path) => (path.includes('?') ? path : path.replaceAll(slashes, '/')) },
    bad: ['encoded slashes'],
    advice: /AllowEncodedSlashes NoDecode.*nocanon.*proxy_pass.*addresses with ! for the slashes work/,
  },
  {
    what: 'encoded slashes are refused',
    rules: { refuses: (_, path) => (path.split('?')[0]?.includes(slashes) ? 404 : undefined) },
    bad: ['encoded slashes'],
    advice: /AllowEncodedSlashes/,
  },
  {
    what: 'the query is decoded',
    rules: { path: (path) => path.replaceAll('%3B', ';') },
    bad: ['query'],
    advice: /as it came/,
  },
  {
    what: 'plus signs become spaces',
    rules: { path: (path) => path.replaceAll('+', '%20') },
    bad: ['query'],
    advice: /as it came/,
  },
  {
    what: 'long addresses are refused',
    rules: { refuses: (_, path) => (path.length > 4096 ? 414 : undefined) },
    bad: ['long addresses'],
    advice: /large_client_header_buffers.*LimitRequestLine/,
  },
  {
    what: 'long addresses are cut',
    rules: { path: (path) => path.slice(0, 4096) },
    bad: ['long addresses'],
    advice: /large_client_header_buffers/,
  },
  {
    what: 'CORS is removed',
    rules: { answer: without('access-control-allow-origin') },
    bad: ['CORS'],
    advice: /other sites/,
  },
  {
    what: 'CORS is added twice',
    rules: {
      answer: (passed) => ({ ...passed, headers: { ...passed.headers, 'access-control-allow-origin': '*, *' } }),
    },
    bad: ['CORS'],
    advice: /two values/,
  },
  { what: 'ETag is removed', rules: { answer: without('etag') }, bad: ['etag'], advice: /anew/ },
  {
    what: 'Last-Modified is removed',
    rules: { answer: without('last-modified') },
    bad: ['last-modified'],
    advice: /changed/,
  },
  {
    what: 'Cache-Control is removed',
    rules: { answer: without('cache-control') },
    bad: ['cache-control'],
    advice: /guess/,
  },
  {
    what: 'conditions are dropped',
    rules: { headers: ({ 'if-none-match': _, ...headers }) => headers },
    bad: ['If-None-Match'],
    advice: /drops the request’s condition/,
  },
  {
    what: 'HEAD is refused',
    rules: { refuses: (method) => (method === 'HEAD' ? 405 : undefined) },
    bad: ['HEAD'],
    advice: /HEAD/,
  },
  {
    what: 'pictures of IIIF are not passed on',
    rules: { refuses: (_, path) => (path.includes('/full/') ? 403 : undefined) },
    bad: ['info.json 3', 'info.json 2'],
    advice: /but not the pictures/,
  },
  {
    what: 'the Scaler is not passed on',
    rules: { refuses: (_, path) => (path.includes('/Scaler') ? 403 : undefined) },
    bad: ['picture'],
    advice: /may be seen by everyone/,
  },
  {
    what: 'the server behind has stopped',
    rules: { refuses: () => 502 },
    bad: ['reachable'],
    advice: /does not reach Lectern/,
  },
];

describe('lectern check', () => {
  it('reports no fault of the server itself, and finds an image without being given one', async () => {
    const findings = await findingsAt(`${app.url}/digilib`);
    expect(outcomesOf(findings, 'bad')).toEqual([]);
    expect(outcomesOf(findings, 'note')).toEqual(['https', 'image', 'compression']);
    expect(findings.find(({ name }) => name === 'image')?.found).toMatch(/^tested with books\/book1\/page0001/);
    expect(outcomesOf(findings, 'good')).toHaveLength(16);
  });

  it('reports no fault behind a proxy that forwards everything unchanged', async () => {
    const proxy = await startProxy(app.port);
    expect(outcomesOf(await findingsAt(`${proxy.url}/digilib`), 'bad')).toEqual([]);
    await proxy.close();
  });

  test.each(breakages.map((one) => [one.what, one] as const))('detects that %s', async (_, { rules, bad, advice }) => {
    const proxy = await startProxy(app.port, rules);
    const findings = await findingsAt(`${proxy.url}/digilib`);
    await proxy.close();
    expect(outcomesOf(findings, 'bad')).toEqual(bad);
    const first = findings.find(({ outcome }) => outcome === 'bad');
    expect(first?.outcome === 'bad' ? first.advice : '').toMatch(advice);
  });

  it('tests the given image, also one at the top of the library', async () => {
    const flat = await startApp({
      library: { folders: [new URL('../fixtures/golden/images/hires/sort', import.meta.url).pathname] },
    });
    expect(await findImage(flat.url, probe)).toBe('Img3.jpg');
    const findings = await findingsAt(flat.url, 'img1');
    const proxy = await startProxy(flat.port, { path: (path) => path.replaceAll('.%2F', '') });
    const decoding = await findingsAt(proxy.url, 'img1');
    await proxy.close();
    await flat.close();
    expect(outcomesOf(findings, 'bad')).toEqual([]);
    expect(outcomesOf(decoding, 'bad')).toEqual(['encoded slashes']);
  });

  it('writes slashes as %2F if only that is answered', async () => {
    const proxy = await startProxy(app.port, { refuses: (_, path) => (path.includes('!') ? 404 : undefined) });
    const findings = await findingsAt(`${proxy.url}/digilib`);
    await proxy.close();
    // The check requests pictures with the size !100,100, which this proxy refuses too.
    expect(findings.find(({ name }) => name === 'info.json 3')?.found).toMatch(/books%2Fbook1%2Fpage0001\.jpg\/full\//);
  });

  it('reports a missing image', async () => {
    const findings = await findingsAt(`${app.url}/digilib`, 'no/such');
    expect(outcomesOf(findings, 'bad')).toEqual(['info.json 3', 'info.json 2', 'picture', 'encoded slashes']);
  });

  it('reports whether a compressing proxy keeps the ETag, and accepts both', async () => {
    const compress = (passed: Passed): Passed =>
      isJson(passed) && passed.status === 200
        ? { ...passed, headers: { ...passed.headers, 'content-encoding': 'gzip' }, body: gzipSync(passed.body) }
        : passed;
    const withEtag = await startProxy(app.port, { answer: compress });
    const lost = await startProxy(app.port, {
      answer: (passed) => compress(isJson(passed) ? without('etag')(passed) : passed),
    });
    const found = [];
    for (const { url } of [withEtag, lost]) {
      found.push((await findingsAt(`${url}/digilib`)).find(({ name }) => name === 'compression'));
    }
    await withEtag.close();
    await lost.close();
    expect(found).toMatchObject([{ outcome: 'good' }, { outcome: 'note', found: expect.stringContaining('anew') }]);
  });

  it('finds an image by the reading room’s API if collections are not forwarded', async () => {
    const proxy = await startProxy(app.port, {
      refuses: (_, path) => (path.includes('/presentation/') ? 404 : undefined),
    });
    expect(await findImage(`${proxy.url}/digilib`, probe)).toMatch(/\.(jpg|png|tif)$/i);
    await proxy.close();
  });
});

/** A server with https in front of the app, as a proxy is, with the headers that it sends. */
function publicProbe(headers: Readonly<Record<string, string>>, redirect: Partial<Reply> | 'silent'): Probe {
  return async (url, options = {}) => {
    if (url.startsWith('http://library.example')) {
      if (redirect === 'silent') throw new NoAnswer('nothing listens there');
      const plain = { url, status: 200, headers: new Headers(), type: '', body: Buffer.alloc(0) };
      return { ...plain, ...redirect };
    }
    const reply = await probe(url.replace('https://library.example', behind.url), {
      ...options,
      headers: { ...options.headers, ...headers },
    });
    return { ...reply, url };
  };
}

describe('lectern check of a site on https', () => {
  const base = 'https://library.example/digilib';
  const host = { 'x-forwarded-host': 'library.example' };
  const whole = { ...host, 'x-forwarded-proto': 'https' };
  const redirect = { status: 301, headers: new Headers({ location: `${base}/` }) };

  it('reports no fault if the proxy sends the scheme and http redirects to https', async () => {
    const findings = await findingsAt(base, undefined, publicProbe(whole, redirect));
    expect(outcomesOf(findings, 'bad')).toEqual([]);
    expect(outcomesOf(findings, 'good')).toContain('https');
  });

  it('detects that the proxy does not send the scheme, so that browsers would refuse the addresses', async () => {
    const findings = await findingsAt(base, undefined, publicProbe(host, redirect));
    expect(outcomesOf(findings, 'bad')).toEqual(addresses);
    const lines = findings.flatMap(formatFinding).join('\n');
    expect(lines).toMatch(
      /✗ base\.url: http:.* instead of https:.*\n.*X-Forwarded-Proto.*--trusted-proxy.*publicAddress/,
    );
    expect(lines).toContain('is http on a page of https, which browsers refuse');
  });

  it('detects that http does not redirect to https', async () => {
    const checking = { base, probe: publicProbe(whole, { status: 200 }) };
    expect(await checkScheme(checking)).toMatchObject({ outcome: 'bad', found: expect.stringContaining('status 200') });
    const silent = { base, probe: publicProbe(whole, 'silent') };
    expect(await checkScheme(silent)).toMatchObject({ outcome: 'note' });
  });
});

it('prints no terminal control characters of a response', () => {
  const lines = formatFinding({ outcome: 'bad', name: 'base.url', found: 'a\u001b[2J\nb\u202ec', advice: 'Do it.' });
  expect(lines).toEqual(['✗ base.url: a [2J b c', '    Do it.']);
});

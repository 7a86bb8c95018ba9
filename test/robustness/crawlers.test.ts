// @module-tag chromium
/** `npm run simulate:crawlers`, a short run: readers and a harvester are served before a swarm, which is refused properly. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { crawlerAddresses, readerAddress } from '../../scripts/simulate-crawlers/addresses.mjs';
import { faultOf } from '../../scripts/simulate-crawlers/answers.mjs';
import { visits } from '../../scripts/simulate-crawlers/crawl.mjs';
import { targetFor } from '../../scripts/simulate-crawlers/recorded-visits.mjs';
import { tileRatios, verdictTable } from '../../scripts/simulate-crawlers/verdicts.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lectern-crawlers-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Counts {
  readonly requests: number;
  readonly served: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly malformed: number;
}

interface Summary {
  readonly kinds: Readonly<Record<string, Counts>>;
  readonly examples: readonly string[];
}

function totalOf({ kinds }: Summary): { readonly requests: number; readonly served: number } {
  const sumOf = (name: 'requests' | 'served') => Object.values(kinds).reduce((sum, counts) => sum + counts[name], 0);
  return { requests: sumOf('requests'), served: sumOf('served') };
}

/** Long enough for readers on a machine that others use, and short enough for a swarm to ask for more. */
const deadlineSeconds = 40;

/** The part of a reader's requests that may be refused on a machine without processors to spare. */
const mostRefused = 0.1;

describe('npm run simulate:crawlers', () => {
  it('of some seconds serves readers and the harvester before crawlers, and refuses these properly', () => {
    const file = path.join(folder, 'result.json');
    const counts = [
      '--images',
      '200',
      '--addresses',
      '800',
      '--networks',
      '60',
      '--readers',
      '6',
      '--real-viewers',
      '2',
    ];
    const options = ['--minutes', '0.4', '--deadline-seconds', String(deadlineSeconds), ...counts, '--json', file];
    const { stdout, stderr } = spawnSync(process.execPath, ['scripts/simulate-crawlers.mjs', ...options], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stdout, stderr).toContain('With the shield');
    const { runs } = JSON.parse(readFileSync(file, 'utf8'));
    const { phases, crawled } = runs[0];
    console.log(verdictTable(runs));
    for (const { kind, before, beside } of tileRatios(phases)) console.log(`${kind}: p95 ${before} and ${beside} ms`);

    // The processors are also Chromium's and the crawlers' here: what is certain is who goes before whom.
    const pictures: Counts = crawled.kinds.pictures;
    for (const who of ['readers', 'university', 'harvester']) {
      const summary: Summary = phases.crawlers[who];
      const { requests, served } = totalOf(summary);
      expect(served, who).toBeGreaterThan(0);
      const text = `${who}: ${summary.examples.join('; ')} ${JSON.stringify(summary.kinds)}`;
      expect(requests - served, text).toBeLessThanOrEqual(Math.max(1, mostRefused * requests));
      expect(served / requests, text).toBeGreaterThan(pictures.served / pictures.requests);
    }
    expect(pictures.malformed, crawled.examples.join('; ')).toBe(0);
    expect(pictures.served).toBeGreaterThan(0);
    expect(pictures.statuses['503'] ?? 0).toBeGreaterThan(0);
  });
});

describe('the swarm', () => {
  it('has all its addresses in all its networks, one of which has 200 beside a reader', () => {
    const addresses = crawlerAddresses(20_000, 2000);
    const networkOf = (address: string): string => address.split(/[.:]/).slice(0, 3).join('.');
    const ofReader = networkOf(readerAddress(0));
    expect(new Set(addresses).size).toBe(20_000);
    expect(new Set(addresses.map(networkOf)).size).toBe(2000);
    expect(addresses.filter((address) => networkOf(address) === ofReader)).toHaveLength(200);
    expect(addresses).not.toContain(readerAddress(0));
  });

  it('comes from all addresses, a quarter with the headers of a browser, a fifth by a page of the room, and asks for each picture once', () => {
    const options = { images: 5000, addresses: 20_000, networks: 2000, picturesPerVisit: 3, seed: 1 };
    const crowd = visits(options);
    const first = Array.from({ length: 20_000 }, () => crowd.next().value).filter((visit) => visit !== undefined);
    const shareOf = (is: (visit: (typeof first)[number]) => boolean): number => first.filter(is).length / first.length;
    expect(new Set(first.map(({ headers }) => headers['x-forwarded-for'])).size).toBe(20_000);
    expect(shareOf(({ headers }) => 'sec-fetch-mode' in headers)).toBeCloseTo(0.25, 3);
    expect(shareOf(({ targets }) => targets[0]?.startsWith('/view/') === true)).toBeCloseTo(0.2, 3);
    const pictures = first.flatMap(({ targets }) => targets.filter((target) => /^\/iiif\/.*\.jpg$/.test(target)));
    expect(pictures).toHaveLength(60_000);
    expect(new Set(pictures).size).toBe(60_000);
  });
});

it.each([
  [
    '/iiif/3/b0000%2Fp01.tif/0,0,256,256/256,256/0/default.jpg',
    '/iiif/3/b0123%2Fp03.tif/0,0,256,256/256,256/0/default.jpg',
  ],
  ['/Scaler?fn=b0000%2Fp19.tif&dw=76', '/Scaler?fn=b0123%2Fp01.tif&dw=76'],
  ['/presentation/3/b0000/manifest.json', '/presentation/3/b0123/manifest.json'],
])('a reader asks what was recorded, for another book: %s', (recorded, expected) => {
  expect(targetFor(recorded, 123, 2)).toBe(expected);
});

describe('a refusal', () => {
  const headers = {
    'retry-after': '3',
    'access-control-allow-origin': '*',
    'content-type': 'text/plain; charset=utf-8',
  };
  const refusal = { status: 503, headers, body: Buffer.from('Busy.'), ms: 10 };
  it.each([
    ['with all that is said', refusal, undefined],
    [
      'in JSON',
      { ...refusal, status: 429, headers: { ...headers, 'content-type': 'application/problem+json' } },
      undefined,
    ],
    ['without a time', { ...refusal, headers: { ...headers, 'retry-after': '0' } }, 'malformed'],
    [
      'that no other site can read',
      { ...refusal, headers: { ...headers, 'access-control-allow-origin': '' } },
      'malformed',
    ],
    ['as a page', { ...refusal, headers: { ...headers, 'content-type': 'text/html' } }, 'malformed'],
    ['without a word', { ...refusal, body: Buffer.alloc(0) }, 'malformed'],
    ['of another status', { ...refusal, status: 403 }, 'malformed'],
    ['after the deadline', { ...refusal, ms: 17_000 }, 'late'],
    ['that never came', { ...refusal, status: 'no answer' }, 'late'],
  ])('%s', (_, answer, kind) => {
    expect(faultOf('/iiif/3/a/full/max/0/default.jpg', answer, 15_000)?.kind).toBe(kind);
  });
});

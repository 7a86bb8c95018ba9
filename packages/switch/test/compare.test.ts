import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  type FakeAnswer,
  type FakeDigilib,
  type FakeRoute,
  startFakeDigilib,
  xml,
} from '../../../test/protocol/fake-digilib.ts';
import { type RunningApp, startApp } from '../../../test/protocol/running-app.ts';
import { fetchAnswer } from '../src/answer.ts';
import { type Cause, causeNames } from '../src/causes.ts';
import { withErrorCode } from '../src/digilib.ts';
import type { LoggedRequest } from '../src/log.ts';
import { type Comparison, replay } from '../src/replay.ts';
import { verdictOf } from '../src/verdict.ts';
import { type Row, rows, scaler } from './compare-cases.ts';

/** A server in front of the app that answers the given targets itself. */
async function startFront(app: RunningApp, routes: Readonly<Record<string, FakeRoute>>): Promise<FakeDigilib> {
  const passed = async (target: string): Promise<FakeAnswer> => {
    const { status, headers, body } = await app.get(target);
    return { status, type: headers['content-type'] ?? '', body };
  };
  const forwarded = Object.fromEntries(rows.map(({ target }) => [target, passed]));
  return startFakeDigilib({ ...forwarded, ...routes }, '');
}

const requestOf = ({ target, method = 'GET' }: Pick<Row, 'target' | 'method'>): LoggedRequest => ({
  method,
  target,
  weight: 1,
});

describe('the comparison of two servers', () => {
  const closing: (() => Promise<void>)[] = [];
  const found = new Map<string, Comparison>();
  let old: FakeDigilib;

  beforeAll(async () => {
    const app = await startApp();
    old = await startFakeDigilib(
      Object.fromEntries([
        ...rows.flatMap(({ target, old: route }) => (route === undefined ? [] : [[target, route] as const])),
        ...rows.flatMap(({ target, status }) =>
          status === undefined ? [] : [[withErrorCode(target), status] as const],
        ),
      ]),
    );
    const front = await startFront(
      app,
      Object.fromEntries(rows.flatMap(({ target, now }) => (now === undefined ? [] : [[target, now] as const]))),
    );
    closing.push(app.close, old.close, front.close);
    // Only the rows with a response of their own need the server in front of the app.
    const [fronted, direct] = [
      rows.filter(({ now }) => now !== undefined),
      rows.filter(({ now }) => now === undefined),
    ];
    for (const [list, base] of [
      [fronted, front.base],
      [direct, app.url],
    ] as const) {
      await replay(list.map(requestOf), {
        bases: { old: old.base, new: base },
        tolerance: 6,
        timeoutMs: 5000,
        concurrency: 4,
        signal: new AbortController().signal,
        onCompared: (comparison) => found.set(comparison.request.target, comparison),
      });
    }
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  test.each(rows.map((row) => [row.cause, row.when, row] as const))(
    'says %s when %s',
    (cause, _, { target, detail }) => {
      const comparison = found.get(target);
      expect(comparison, target).toMatchObject({ cause });
      if (typeof detail === 'string') expect(comparison?.detail).toBe(detail);
      else if (detail !== undefined) expect(comparison?.detail).toMatch(detail);
    },
  );

  it('has a row for every cause, except two that have tests of their own', () => {
    const tested = new Set(rows.map(({ cause }) => cause));
    expect(causeNames.filter((cause) => !tested.has(cause))).toEqual(['own-error', 'too-long']);
  });

  it('reports own-error if the new server is configured for digilib’s status codes', async () => {
    const app = await startApp({ digilib: { legacyErrorStatus: true } });
    closing.push(app.close);
    const causes: Cause[] = [];
    await replay([{ method: 'GET', target: scaler('photos/nosuch'), weight: 1 }], {
      bases: { old: old.base, new: app.url },
      tolerance: 6,
      timeoutMs: 5000,
      concurrency: 1,
      signal: new AbortController().signal,
      onCompared: ({ cause }) => causes.push(cause),
    });
    expect(causes).toEqual(['own-error']);
  });

  it('reports too-long if a body exceeds the limit, and stops reading it', async () => {
    const signal = new AbortController().signal;
    const target = scaler('photos/odd1201x799');
    const [before, now] = await Promise.all(
      [10_000_000, 100].map((maxBytes) => fetchAnswer('GET', old.base + target, { timeoutMs: 5000, signal, maxBytes })),
    );
    if (before?.kind !== 'answer' || now?.kind !== 'answer') throw new Error('no answer');
    expect([before.isCut, now.isCut, now.body.length <= 100]).toEqual([false, true, true]);
    const judging = { tolerance: 6, fetch: async () => before };
    const verdict = await verdictOf({ request: requestOf({ target }), old: before, now }, judging);
    expect(verdict.cause).toBe('too-long');
  });

  it('compares XML by its meaning', async () => {
    const answer = (body: string) =>
      ({
        kind: 'answer',
        status: 200,
        type: 'text/xml',
        location: '',
        isCut: false,
        timeMs: 1,
        body: Buffer.from(body),
      }) as const;
    const request = requestOf({ target: '/api/dirInfo-xml.jsp?fn=a' });
    const judging = { tolerance: 6, fetch: async () => answer('') };
    const verdictOn = async (a: FakeAnswer, b: FakeAnswer): Promise<Cause> =>
      (await verdictOf({ request, old: answer(String(a.body)), now: answer(String(b.body)) }, judging)).cause;
    const dir = (name: string): FakeAnswer =>
      xml(`<?xml version="1.0"?><dir>\n <size>1</size><name>${name}</name></dir>`);
    expect(await verdictOn(dir('a'), xml('<dir><size>1</size> <name>a</name></dir>'))).toBe('same');
    expect(await verdictOn(dir('a'), dir('b'))).toBe('other-content');
    expect(await verdictOn(dir('a < b'), dir('a &lt; b'))).toBe('escaped');
    expect(await verdictOn(dir('a'), dir('a < b'))).toBe('other-content');
  });
});

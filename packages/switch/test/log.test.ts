import { describe, expect, it, test } from 'vitest';
import {
  behindContext,
  choose,
  type LoggedRequest,
  type LogLine,
  parseLogLine,
  RequestCounter,
  withoutToken,
} from '../src/log.ts';

const get = (target: string): LogLine => ({ kind: 'request', method: 'GET', target });

/** A line of the Common Log Format with this request. */
const common = (request: string): string => `10.0.0.7 - - [01/Feb/2025:10:00:00 +0100] "${request}" 200 5120`;

const lines: readonly (readonly [string, string, LogLine])[] = [
  ['Apache and Tomcat', common('GET /digilib/Scaler?fn=a&dw=100 HTTP/1.1'), get('/digilib/Scaler?fn=a&dw=100')],
  [
    'nginx with referrer and agent',
    `${common('GET /x?fn=%C3%A4 HTTP/2.0')} "https://site.example/GET" "Mozilla/5.0 \\"x\\""`,
    get('/x?fn=%C3%A4'),
  ],
  ['Apache with the host first', `site.example:443 ${common('GET /x HTTP/1.1')}`, get('/x')],
  ['a head', common('HEAD /x HTTP/1.0'), { kind: 'request', method: 'HEAD', target: '/x' }],
  ['HTTP/0.9', common('GET /x'), get('/x')],
  ['an escaped quote', common('GET /x?fn=a\\"b HTTP/1.1'), get('/x?fn=a"b')],
  ['escaped bytes', common('GET /x?fn=\\xc3\\xa4\\t HTTP/1.1'), get('/x?fn=%C3%A4%09')],
  ['bytes that are not escaped', common('GET /x?fn=\xc3\xa4 HTTP/1.1'), get('/x?fn=%C3%A4')],
  ['a space in the address', common('GET /x?fn=a b HTTP/1.1'), get('/x?fn=a%20b')],
  ['an absolute address', common('GET http://site.example/x?a HTTP/1.1'), get('/x?a')],
  ['a post', common('POST /x HTTP/1.1'), { kind: 'other-method' }],
  ['a list of addresses', 'https://site.example:8443/digilib/Scaler?fn=a+b', get('/digilib/Scaler?fn=a+b')],
  ['a list of paths', '/digilib/Scaler?fn=a#part', get('/digilib/Scaler?fn=a')],
  ['a list with methods', 'HEAD /digilib/Scaler', { kind: 'request', method: 'HEAD', target: '/digilib/Scaler' }],
  ['an address without a path', 'https://site.example', get('/')],
  ['a Windows line', '/x\r', get('/x')],
  ['a blank line', '  ', { kind: 'blank' }],
  ['a comment', '# Fields: date', { kind: 'blank' }],
  ['a connection without a request', common('-'), { kind: 'no-request' }],
  ['a broken handshake', common('\\x16\\x03\\x01'), { kind: 'no-request' }],
  ['a request for all', common('OPTIONS * HTTP/1.1'), { kind: 'no-request' }],
  ['text', 'Server started in 3 s', { kind: 'no-request' }],
];

describe('a line of a log', () => {
  test.each(lines)('is read: %s', (_, line, expected) => expect(parseLogLine(line)).toEqual(expected));
});

test.each([
  ['/x?fn=a&dw=1', '/x?fn=a&dw=1'],
  ['/x?', '/x?'],
  ['/x?&&a==b;;', '/x?&&a==b;;'],
  ['/x?fn=a&id_token=abc.def', '/x?fn=a'],
  ['/x?id_token=abc&fn=a', '/x?fn=a'],
  ['/x?fn=a;id_token=abc;dw=1', '/x?fn=a;dw=1'],
  ['/x?fn=a&amp;id_token=abc&amp;dw=1', '/x?fn=a&amp;dw=1'],
  ['/x?fn=a&amp;id_token=abc', '/x?fn=a'],
  ['/x?fn=a&ID%5FTOKEN=abc', '/x?fn=a'],
  ['/x?id_token=abc', '/x'],
  ['/x?my_id_token=abc', '/x?my_id_token=abc'],
  ['/x?%C3=1&id_token=a', '/x?%C3=1'],
  ['/x;jsessionid=12AB?fn=a;jsessionid=b', '/x?fn=a;jsessionid=b'],
])('a login token is dropped: %s becomes %s', (target, expected) => expect(withoutToken(target)).toBe(expected));

test.each([
  ['/digilib/Scaler?fn=a', '/digilib', '/Scaler?fn=a'],
  ['/digilib', '/digilib', ''],
  ['/digilib?x', '/digilib', '?x'],
  ['/Scaler', '', '/Scaler'],
  ['/digilib2/Scaler', '/digilib', undefined],
  ['/other', '/digilib', undefined],
  ['/digilib/../manager/html', '/digilib', undefined],
  ['/digilib/%2e%2e/manager', '/digilib', undefined],
  ['/digilib/a/../Scaler', '/digilib', '/a/../Scaler'],
  ['//host/x', '', '//host/x'],
])('behind the context path: %s below %j is %j', (target, contextPath, expected) => {
  expect(behindContext(target, contextPath)).toBe(expected);
});

it('counts equal requests, and what was no request', () => {
  const counter = new RequestCounter('/d');
  for (const line of ['/d/a', '/d/a?id_token=1', 'HEAD /d/a', '/e/a', 'noise', 'POST /d/a', '', '/d/b'])
    counter.add(line);
  const { tally, requests } = counter.result();
  expect(requests).toEqual([
    { method: 'GET', target: '/a', weight: 2 },
    { method: 'HEAD', target: '/a', weight: 1 },
    { method: 'GET', target: '/b', weight: 1 },
  ]);
  expect(tally).toEqual({
    lines: 8,
    requests: 4,
    otherMethods: 1,
    elsewhere: 1,
    noRequests: 1,
    firstNoRequest: 5,
    beyondMemory: 0,
  });
});

describe('the choice of requests', () => {
  const requests = Array.from(
    { length: 100 },
    (_, at): LoggedRequest => ({ method: 'GET', target: `/${at}`, weight: at }),
  );
  const weights = (limit: number, seed: number): readonly number[] =>
    choose(requests, limit, seed).map(({ weight }) => weight);

  it('takes all where there is room, the most frequent first', () => {
    expect(weights(100, 1)).toEqual(Array.from({ length: 100 }, (_, at) => 99 - at));
  });

  it('takes the most frequent for one half, and others by chance for the other', () => {
    const chosen = weights(20, 1);
    expect(chosen.slice(0, 10)).toEqual([99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
    expect(new Set(chosen).size).toBe(20);
    expect(Math.min(...chosen)).toBeLessThan(70);
  });

  it('is the same for the same seed, and another for another', () => {
    expect(weights(20, 7)).toEqual(weights(20, 7));
    expect(weights(20, 7)).not.toEqual(weights(20, 8));
  });
});

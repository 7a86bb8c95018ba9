/** Invalid, very small and very large numbers in every parameter, regions and sizes beyond the limits (survive.md, "Input"). */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../sweep.ts';
import { base, expectDiscreet, membersOf, picture, serveLibrary } from './library-with-secrets.ts';
import type { ReceivedResponse } from './running-app.ts';

const server = serveLibrary({}, async (library) => {
  library.write(
    'dpi.jpg',
    await sharp(await picture('jpeg'))
      .withMetadata({ density: 300 })
      .toBuffer(),
  );
});

async function timed(path: string): Promise<ReceivedResponse> {
  const start = performance.now();
  const answer = await server.app.get(path);
  expect(performance.now() - start, path).toBeLessThan(5000);
  expectDiscreet(answer, server.library);
  return answer;
}

/** Texts that are not 32-bit numbers of their type: the parameter keeps its default. */
const noFloat = [
  'NaN',
  'Infinity',
  '-Infinity',
  '1e308',
  '-1e308',
  '1e39',
  '0x1p3',
  '１２',
  '٣',
  '',
  ' ',
  '1,5',
  '1_0',
  '--1',
  '1e',
  '.',
];
const noInteger = [...noFloat, '1e-9', '2147483648', '-2147483649', '9223372036854775808', '1.0', '0x10', '1 '];

const extremes = [
  '-0',
  '0',
  '1e-9',
  '-1e-9',
  '1e-45',
  '1e-999999999',
  '2147483648',
  '9223372036854775808',
  '3.4e38',
  '-3.4e38',
  '-1',
  '1e9',
];
const extremeIntegers = ['-0', '0', '-1', '2147483647', '-2147483648', '00000000000000000000000000007', '+3'];

/** The query in which each parameter has an effect; the parameter is appended to it. */
const contexts: readonly (readonly [name: string, query: string, type: 'int' | 'float'])[] = [
  ['dw', 'fn=plain.jpg&dh=30', 'int'],
  ['dh', 'fn=plain.jpg&dw=30', 'int'],
  ['dw', 'fn=plain.jpg&dh=30&mo=squeeze', 'int'],
  ['dw', 'fn=plain.jpg&dh=30&mo=clip', 'int'],
  ['pn', 'fn=folder&dw=30', 'int'],
  ['pn', 'fn=plain.jpg&dw=30', 'int'],
  ...['wx', 'wy', 'ww', 'wh'].flatMap((name): (readonly [string, string, 'float'])[] =>
    ['', '&mo=pxarea', '&mo=crop', '&mo=fill', '&mo=squeeze', '&mo=clip', '&mo=lores', '&mo=ascale&scale=0.5'].map(
      (mode) => [name, `fn=plain.jpg&dw=30&dh=30${mode}`, 'float'],
    ),
  ),
  ['ws', 'fn=plain.jpg&dw=30', 'float'],
  ['rot', 'fn=plain.jpg&dw=30', 'float'],
  ['cont', 'fn=plain.jpg&dw=30', 'float'],
  ['brgt', 'fn=plain.jpg&dw=30', 'float'],
  ['scale', 'fn=plain.jpg&mo=ascale', 'float'],
  ['scale', 'fn=plain.jpg&dw=30&dh=30&mo=ascale', 'float'],
  ['ddpi', 'fn=dpi.jpg&dw=30&dh=30&mo=osize', 'float'],
  ['ddpix', 'fn=dpi.jpg&dw=30&dh=30&mo=osize&ddpiy=100', 'float'],
  ['ddpiy', 'fn=dpi.jpg&dw=30&dh=30&mo=osize&ddpix=100', 'float'],
];

const signature = ({ status, headers }: ReceivedResponse): string => `${status} ${status === 200 ? headers.etag : ''}`;

describe('a number of the Scaler', { tags: 'sampled' }, () => {
  for (const [name, query, type] of sampleOf(contexts, 14)) {
    it(`that is invalid leaves ${name} at its default in ${query}`, async () => {
      const expected = signature(await timed(`${base}/Scaler?${query}`));
      for (const text of type === 'int' ? noInteger : noFloat) {
        const answer = await timed(`${base}/Scaler?${query}&${name}=${encodeURIComponent(text)}`);
        expect(signature(answer), text).toBe(expected);
      }
    });

    it(`that is extreme gives a picture or 400 for ${name} in ${query}`, async () => {
      for (const text of type === 'int' ? extremeIntegers : extremes) {
        const answer = await timed(`${base}/Scaler?${query}&${name}=${encodeURIComponent(text)}`);
        expect(name === 'pn' ? [200, 404] : [200, 400], `${name}=${text}`).toContain(answer.status);
        if (answer.status !== 200) continue;
        const { width, height } = await sharp(answer.body).metadata();
        expect(width).toBeGreaterThan(0);
        expect(width * height).toBeLessThanOrEqual(100_000_000);
      }
    });
  }

  it('may be minus zero', async () => {
    for (const name of ['wx', 'wy', 'rot', 'cont', 'brgt']) {
      const [minus, plus] = [`${name}=-0`, `${name}=0`].map((pair) =>
        server.app.get(`${base}/Scaler?fn=plain.jpg&dw=30&${pair}`),
      );
      expect((await minus)?.headers.etag).toBe((await plus)?.headers.etag);
    }
  });

  it('gives a picture or an error for every odd triple of rgbm and rgba', async () => {
    const triples = [
      'NaN/0/0',
      '1e308/1/1',
      '3e38/-3e38/0',
      '-0/-0/-0',
      '1/2',
      '1/2/3/4',
      '',
      '//',
      '1e-9/0/0',
      '１/２/３',
      '/'.repeat(2000),
    ];
    for (const name of ['rgbm', 'rgba']) {
      for (const triple of triples) {
        const answer = await timed(`${base}/Scaler?fn=plain.jpg&dw=30&${name}=${encodeURIComponent(triple)}`);
        expect([200, 400], triple).toContain(answer.status);
      }
    }
  });

  it('is read quickly also with thousands of digits', async () => {
    const long = ['9'.repeat(7900), `${'1'.repeat(7900)}x`, `0.${'0'.repeat(7800)}1`, `1e${'9'.repeat(7000)}`];
    for (const text of [...long, `${' '.repeat(3900)}1${' '.repeat(3900)}x`.replaceAll(' ', '+')]) {
      const start = performance.now();
      const answer = await server.app.get(`${base}/api/dlInfo-json.jsp?brgt=${text}`);
      expect(performance.now() - start, text.slice(0, 20)).toBeLessThan(50);
      expect(answer.status).toBe(200);
    }
  });

  it('that is invalid leaves the info object at its defaults', async () => {
    const defaults = membersOf(await server.app.get(`${base}/api/dlInfo-json.jsp`));
    for (const [name, , type] of contexts) {
      for (const text of type === 'int' ? noInteger : noFloat) {
        const members = membersOf(
          await server.app.get(`${base}/api/dlInfo-json.jsp?${name}=${encodeURIComponent(text)}`),
        );
        expect(members[name], `${name}=${text}`).toBe(defaults[name]);
      }
    }
  });
});

describe('an IIIF number', () => {
  const numbers = [
    'NaN',
    'Infinity',
    '1e308',
    '-0',
    '-1',
    '1e-9',
    '2147483648',
    '9223372036854775808',
    '１２',
    '',
    '0x10',
    '+5',
    ' 5',
    '0',
  ];

  it('that is invalid or extreme gives a picture or 400 at every position of the path, never a failure', {
    tags: 'sampled',
  }, async () => {
    for (const number of sampleOf(numbers, 5)) {
      const text = encodeURIComponent(number);
      for (const path of [
        `${text},0,10,10/max/0`,
        `0,${text},10,10/max/0`,
        `0,0,${text},10/max/0`,
        `0,0,10,${text}/max/0`,
        `pct:${text},0,10,10/max/0`,
        `pct:0,0,${text},${text}/max/0`,
        `full/${text},/0`,
        `full/,${text}/0`,
        `full/${text},${text}/0`,
        `full/!${text},${text}/0`,
        `full/^${text},/0`,
        `full/pct:${text}/0`,
        `full/^pct:${text}/0`,
        `full/max/${text}`,
        `full/max/!${text}`,
      ]) {
        for (const version of [1, 2, 3]) {
          const parts = version === 1 ? path.replace('/max/', '/full/') : path;
          const answer = await timed(`${base}/iiif/${version}/plain.jpg/${parts}/default.jpg`);
          expect([200, 400], `${version}: ${path}`).toContain(answer.status);
        }
      }
    }
  });
});

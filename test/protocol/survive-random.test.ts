/** Thousands of random addresses never make the server fail. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../sweep.ts';
import { base, endpoints, serveLibrary } from './library-with-secrets.ts';

const server = serveLibrary({ limits: { maxArea: 40_000 } });

const seeds = [
  ...endpoints.map(([, address]) => address),
  `${base}/Scaler?fn=folder&pn=1&dw=50&dh=40&wx=0.1&wy=0.2&ww=0.5&wh=0.5&mo=fill,png,q1&rot=12.5&cont=1&rgbm=1/2/3`,
  `${base}/Scaler/folder/?fn=inside.jpg;dw=30;mo=lores,hmir,errtxt;colop=MAP_GRAY_BGR`,
  `${base}/servlet/Scaler?plain.jpg+1+2.0+fit++0.1+0.1+0.5+0.5`,
  `${base}/api/dlInfo-json.jsp?fn=folder&pn=1&wx=0.123&rot=-12&mo=fit,clip&img.pix_x=5&base.url=x`,
  `${base}/iiif/3/folder!inside.jpg/10,10,20,20/^!50,50/!22.5/gray.webp`,
  `${base}/iiif/2/folder%2Finside.jpg/pct:10,10,50,50/pct:120/90/bitonal.png`,
  `${base}/Scaler/IIIF/1/plain.jpg/full/30,/180/native.jpg`,
  'http://other.example:81/digilib/iiif/3/plain.jpg/info.json',
];

const pieces = [
  ...[
    '/',
    '//',
    '..',
    '/../',
    '%2e%2e',
    '%2F',
    '%00',
    '%',
    '%zz',
    '%ff',
    '%c0%ae',
    '%0d%0a',
    '%25',
    '\\',
    '!',
    '?',
    '#',
    '&',
  ],
  ...[
    '&amp;',
    ';',
    '=',
    '+',
    ',',
    ':',
    '^',
    '@',
    '"',
    '<',
    '>',
    "'",
    '`',
    '{',
    '|',
    '~',
    '*',
    '.',
    '-',
    '\t',
    '\f',
    '\u0080',
  ],
  ...[
    'NaN',
    'Infinity',
    '1e308',
    '-0',
    '1e-9',
    '2147483648',
    '99999999999999999999',
    '0',
    '-1',
    '0.5',
    '%EF%BC%91',
    '%F0%9F%A6%8A',
  ],
  ...[
    'fn=',
    'pn=',
    'dw=',
    'dh=',
    'ww=',
    'wx=',
    'ws=',
    'rot=',
    'scale=',
    'cont=',
    'brgt=',
    'rgba=',
    'rgbm=',
    'ddpi=',
    'colop=INVERT',
  ],
  ...[
    'mo=',
    'squeeze',
    'clip',
    'osize',
    'ascale',
    'file',
    'rawfile',
    'errimg',
    'errtxt',
    'errcode',
    'pxarea',
    'sqarea',
    'webp',
  ],
  ...[
    'full',
    'max',
    'square',
    'pct:',
    'info.json',
    'default.jpg',
    'IIIF',
    'iiif',
    'Scaler',
    'servlet',
    'api',
    'plain',
    '.jpg',
    '__proto__',
  ],
];

interface Edit {
  /** In ten thousandths of the text, from its second character. */
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.noBias(fc.integer({ min: 0, max: 9999 })),
  remove: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 12 })),
  insert: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...pieces) },
    { weight: 2, arbitrary: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) },
    { weight: 1, arbitrary: fc.constantFrom(...seeds) },
    { weight: 2, arbitrary: fc.constant('') },
  ),
});

const target: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...seeds), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([seed, edits]) =>
    edits.reduce((text, { at, remove, insert }) => {
      const start = 1 + Math.floor((at / 10_000) * text.length);
      return text.slice(0, start) + insert + text.slice(start + remove);
    }, seed),
  );

describe('a random address', () => {
  it('never makes the server fail or log an error', { tags: 'sampled' }, async () => {
    await fc.assert(
      fc.asyncProperty(target, fc.constantFrom('GET', 'GET', 'GET', 'HEAD'), async (path, method) => {
        const text = await server.app.raw(`${method} ${path} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`);
        const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
        expect(status).toBeGreaterThanOrEqual(200);
        if (status !== 501) expect(status).toBeLessThan(500);
        expect(text).not.toContain(server.library.outside);
        expect(text).not.toContain('node_modules');
      }),
      { numRuns: runsOf(2000) },
    );
    const failures = server.app.logLines.filter((entry) => (JSON.parse(entry) as { level: number }).level >= 50);
    expect(failures).toEqual([]);
    expect((await server.app.get(`${base}/`)).status).toBe(200);
  });
});

/** The parsers of what clients send: any text gives a value or the documented error, in bounded time; and the round trips. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { preferredCoding, prefersLinkedJson } from '../../src/core/http/negotiation.ts';
import { clientAddressOf, originIfValid, trustProxies } from '../../src/core/http/origin.ts';
import { routableTarget, splitTarget } from '../../src/core/http/target.ts';
import { parseManifesterAddress, parsePresentationAddress } from '../../src/core/image/addresses/folder-address.ts';
import { formatIdentifierSegment } from '../../src/core/image/addresses/iiif-addresses.ts';
import { ImageError } from '../../src/core/image/model/errors.ts';
import { formatIdentifier, parseIdentifier } from '../../src/core/image/model/identifier.ts';
import {
  formatValue,
  optionNames,
  type ParameterName,
  type ParameterValues,
  parameters,
  parseQuery,
  settableNames,
} from '../../src/features/digilib/parameters.ts';
import { errorFormOf, toImageRequest } from '../../src/features/digilib/scaler-request.ts';
import { parseAddress } from '../../src/features/iiif-image/image-address.ts';
import { decimal, parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import type { Version } from '../../src/features/iiif-image/version.ts';
import { editedTexts, expectFiniteNumbers, holdsForEach, unlessRefused } from './random-inputs.ts';

const numbers = [
  '0',
  '-0',
  '1',
  '0.5',
  '1e-9',
  '1e308',
  '-1e308',
  'NaN',
  'Infinity',
  '2147483648',
  '9'.repeat(30),
  '１',
  '+1',
  '1.',
  '.5',
  '1f',
  '0x1',
];
const escapes = [
  '%',
  '%2',
  '%zz',
  '%00',
  '%ff',
  '%c0%ae',
  '%2e',
  '%2F',
  '%25',
  '%25252e',
  '%0d%0a',
  '%EF%BC%91',
  '%F0%9F%A6%8A',
  '%ED%A0%80',
];
const marks = [
  '&',
  '&amp;',
  ';',
  '=',
  '+',
  ',',
  '/',
  '//',
  '.',
  '..',
  '!',
  '\\',
  '\0',
  '?',
  '#',
  ':',
  '"',
  '<',
  '\u202e',
  '\uFFFD',
  '\ud800',
  ' ',
];

describe('the query of the digilib API', () => {
  const seeds = [
    'fn=folder/a&pn=1&dw=50&dh=40&wx=0.1&wy=0.2&ww=0.5&wh=0.5&ws=2&mo=fill,png,q1&rot=12.5&cont=1&brgt=3&rgbm=1/2/3&rgba=0/0/0',
    'fn=a;dw=30;mo=lores,hmir,errtxt;colop=MAP_GRAY_BGR',
    'fn=a&amp;dw=30&amp;ddpi=90&amp;ddpix=1&amp;ddpiy=2&amp;scale=0.5',
    'plain.jpg+1+2.0+fit++0.1+0.1+0.5+0.5',
    '',
  ];
  const pieces = [
    ...numbers,
    ...escapes,
    ...marks,
    ...settableNames.map((name) => `${name}=`),
    ...optionNames,
    '__proto__=',
    'constructor=',
  ];

  it('of any text gives finite numbers, or a request that is refused', async () => {
    await holdsForEach(editedTexts(seeds, pieces), (query) => {
      const values: ParameterValues | undefined = unlessRefused(ImageError, () => parseQuery(query));
      if (values === undefined) return;
      for (const name of settableNames) {
        const value: ParameterValues[ParameterName] = values[name];
        equal(
          typeof value,
          { int: 'number', float: 'number', string: 'string', options: 'object' }[parameters[name].type],
        );
        if (typeof value === 'number') ok(Number.isFinite(value));
      }
      const { color: _, ...request } = toImageRequest(values);
      expectFiniteNumbers(request);
      ok(['image', 'text', 'code'].includes(errorFormOf(values, 'image')));
    });
  });

  it('reads back every value that it prints', async () => {
    const float = fc.float({ noNaN: true, noDefaultInfinity: true });
    const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
      int: fc.integer(),
      float,
      string: fc.string({ unit: 'grapheme', maxLength: 12 }),
      options: fc.uniqueArray(fc.constantFrom(...optionNames), { maxLength: 4 }).map((names) => new Set(names)),
    };
    const pair = fc
      .constantFrom(...settableNames)
      .chain((name) => fc.tuple(fc.constant(name), values[parameters[name].type] ?? float));
    await holdsForEach(fc.uniqueArray(pair, { selector: ([name]) => name, minLength: 1, maxLength: 5 }), (pairs) => {
      const query = pairs
        .map(([name, value]) => `${name}=${encodeURIComponent(formatValue(name as ParameterName, value as never))}`)
        .join('&');
      const parsed = parseQuery(query);
      for (const [name, value] of pairs)
        deepEqual(parsed[name], value === 0 && parameters[name].type === 'int' ? 0 : value, query);
    });
  });
});

describe('the path of an image', () => {
  it('of any text stays inside of the library, and reads back as itself', async () => {
    const seeds = ['folder/sub/image.tif', '/a//b/./c', 'ü/漢字/e\u0301', '..', '.hidden', 'a%2f..%2fb', 'C:/x', ''];
    await holdsForEach(editedTexts(seeds, [...marks, ...escapes, 'file:///', '%2e%2e%2f', '..%5c']), (path) => {
      const identifier = parseIdentifier(path);
      if (identifier === undefined) return;
      for (const segment of identifier.segments) match(segment, /^[^./\\\0][^/\\\0]*$/s);
      deepEqual(parseIdentifier(formatIdentifier(identifier)), identifier);
    });
  });

  it('is found again behind an IIIF prefix', async () => {
    const names = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });
    await holdsForEach(names, (segments) => {
      const path = segments.join('/');
      const identifier = parseIdentifier(path);
      if (identifier === undefined || identifier.segments.length === 0 || /\p{Surrogate}/u.test(path)) return;
      const formatted = formatIdentifier(identifier);
      const address = parseAddress(`${formatIdentifierSegment(formatted, '!')}/info.json`, false);
      equal(address?.kind, 'info');
      ok(address?.identifiers.includes(formatted));
    });
  });
});

describe('the path of an IIIF address', () => {
  const seeds = [
    'folder!inside.jpg/10,10,20,20/^!50,50/!22.5/gray.webp',
    'folder%2Finside.jpg/pct:10,10.5,50,.5/pct:120/90/bitonal.png',
    'a/square/max/360/default.jpg',
    'plain.jpg/full/,30/180/native.tif',
    'a/b/c/full/^30,/0/color.avif',
    'plain.jpg/info.json',
    'plain.jpg',
  ];
  const pieces = [
    ...numbers,
    ...escapes,
    ...marks,
    '^',
    'pct:',
    'full',
    'max',
    'square',
    'info.json',
    'default.jpg',
    'x',
    '@',
    'constructor.jpg',
  ];

  it('of any text is an image request of finite numbers, is refused, or is none', async () => {
    await holdsForEach(fc.tuple(editedTexts(seeds, pieces), fc.boolean()), ([path, rawSlashes]) => {
      const address = parseAddress(path, rawSlashes);
      if (address === undefined) return;
      ok(address.identifiers.length > 0);
      if (address.kind !== 'image') return;
      for (const version of [1, 2, 3] as readonly Version[]) {
        const request = unlessRefused(ImageError, () => parseImagePath(address.path, version));
        if (request === undefined) continue;
        expectFiniteNumbers(request);
        ok(request.rotation <= 360);
        match(address.path.rotation.replace('!', ''), decimal);
      }
    });
  });

  it('of any text behind a Presentation or Manifester prefix is a folder, or is none', async () => {
    const folders = [
      'books/book1/manifest.json',
      'books!book1/collection.json',
      'a/canvas/p1',
      'books!book1/manifest',
      'a%2Fb',
    ];
    await holdsForEach(editedTexts(folders, [...pieces, 'manifest.json', 'canvas', 'sequence']), (path) => {
      for (const address of [parsePresentationAddress(path), parseManifesterAddress(path)])
        if (address !== undefined) ok(address.paths.every((one) => typeof one === 'string'));
    });
  });
});

describe('the target and the headers of a request', () => {
  const targets = ['/Scaler?fn=a', 'http://other.example:81/iiif/3/a/info.json?x=1', '*', 'host:80', '//a', '/%zz?%'];
  const trusted = trustProxies(['10.0.0.0/8', '::1']);

  it('are split and decoded without an exception', async () => {
    await holdsForEach(editedTexts(targets, [...escapes, ...marks, 'http://', '@', '[']), (target) => {
      const { path, query } = splitTarget(target);
      ok(!path.includes('?'));
      ok(path.length + query.length <= target.length + 1);
      decodeURIComponent(routableTarget(target).split('?')[0] ?? '');
    });
  });

  it('name a host and a client that have their forms, or none', async () => {
    const headers = [
      'a.example',
      'for=1.2.3.4;proto=https;host=a',
      '"[2001:db8::1]:80"',
      '1.2.3.4, 10.0.0.1',
      'text/html;q=0.5, */*',
      'application/ld+json;profile="x"',
      'gzip;q=0, br',
    ];
    const text = editedTexts(headers, [...marks, ...numbers, 'for=', 'by=', 'proto=', 'unknown', '[', ']', 'q=', '*']);
    await holdsForEach(
      fc.tuple(
        text,
        fc.constantFrom(
          'host',
          'forwarded',
          'x-forwarded-for',
          'x-forwarded-host',
          'x-forwarded-proto',
          'x-forwarded-prefix',
          'accept',
        ),
      ),
      ([value, name]) => {
        const request = {
          url: '/',
          headers: { host: 'own.example', [name]: value },
          rawHeaders: [],
          socket: { remoteAddress: '10.1.2.3', localAddress: '10.0.0.9', localPort: 80 },
        } as unknown as IncomingMessage;
        const origin = originIfValid(request, { trusted, publicAddress: undefined });
        if (origin !== undefined) match(origin, /^https?:\/\/[A-Za-z0-9._~:[\]-]+(?:\/[A-Za-z0-9._~/-]*)?$/);
        match(clientAddressOf(request, trusted), /^(?:unknown|[0-9a-fA-F.:%\w]+)$/);
        equal(typeof prefersLinkedJson(value), 'boolean');
        ok(['br', 'gzip', 'identity'].includes(preferredCoding(['br', 'gzip'], value)));
      },
    );
  });
});

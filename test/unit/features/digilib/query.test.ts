import { describe, expect, it, test } from 'vitest';
import { decodeFormText } from '../../../../src/core/parsing/parse.ts';
import {
  defaultValues,
  formatOptions,
  optionNames,
  type ParameterName,
  parseOptions,
  parseQuery,
} from '../../../../src/features/digilib/parameters.ts';

/** The values that differ from the defaults. */
function changed(query: string): Record<string, unknown> {
  const values = parseQuery(query);
  const names = Object.keys(values) as ParameterName[];
  const entries = names.filter((name) => values[name] !== defaultValues[name]);
  return Object.fromEntries(
    entries.map((name) => {
      const value = values[name];
      return [name, value instanceof Set ? formatOptions(value) : value];
    }),
  );
}

describe('the four forms of a query', () => {
  test.each([
    ['', {}],
    ['fn=a&dw=5', { fn: 'a', dw: 5 }],
    ['dw=1&dw=2', { dw: 1 }],
    ['dw=x&dw=2', {}],
    ['dw=&dh=3', { dh: 3 }],
    ['fn=a=b', { fn: 'a=b' }],
    ['&dw=5&&', { dw: 5 }],
    ['dw&dh=1', { dh: 1 }],
    ['fn=x;dw=100', { fn: 'x', dw: 100 }],
    ['dw=1;dw=2', { dw: 2 }],
    ['dw=1;dw=x', { dw: 1 }],
    ['fn=x;', { fn: 'x' }],
    ['fn=a&b=c;dw=3', { fn: 'a&b', dw: 3 }],
    ['fn=x&amp;dw=2', { fn: 'x', dw: 2 }],
    ['fn=x&dh=3&amp;dw=100', { fn: 'x&dh', dw: 100 }],
    [
      'books/book1+2+1.5+fit+0.5/0.5+0.1+0.2+0.3+0.4+more',
      {
        fn: 'books/book1',
        pn: 2,
        ws: 1.5,
        mo: 'fit',
        wx: Math.fround(0.1),
        wy: Math.fround(0.2),
        ww: Math.fround(0.3),
        wh: Math.fround(0.4),
      },
    ],
    ['fn++1.5', { fn: 'fn', ws: 1.5 }],
    ['%C3%BC', { fn: '%C3%BC' }],
    ['+', {}],
    ['++++++++', {}],
  ])('%j', (query, values) => expect(changed(query)).toEqual(values));

  test.each([
    ['base.url=x'],
    ['servlet.request=x'],
    ['docu.image=x'],
    ['request.path=/a'],
    ['request.iiif.elements=a'],
    ['FN=x'],
    ['toString=1&__proto__=2&constructor=3'],
  ])('%j sets nothing', (query) => expect(changed(query)).toEqual({}));

  it('lets a client set facts of the image, which the image’s own replace', () => {
    expect(changed('img.fn=x&img.pix_x=7&img.dpix=abc')).toEqual({ 'img.fn': 'x', 'img.pix_x': 7 });
  });

  it('keeps an empty string and drops an empty number', () => {
    expect(changed('rgbm=&ww=')).toEqual({ rgbm: '' });
  });

  test.each(['&', ';', '&amp;'])('takes 100 parameters separated by %s, and refuses 101', (separator) => {
    const list = (count: number): string => Array.from({ length: count }, (_, i) => `p${i}=1`).join(separator);
    expect(changed(list(100))).toEqual({});
    expect(() => parseQuery(list(101))).toThrow('at most 100');
  });
});

describe('percent-encoding', () => {
  test.each([
    ['a%20b+c', 'a b c'],
    ['%C3%BC', 'ü'],
    ['%F0%9F%98%80', '😀'],
    ['caf%E9', 'caf\uFFFD'],
    ['%', '%'],
    ['%zz%2', '%zz%2'],
    ['%2B', '+'],
  ])('%j decodes to %j', (text, decoded) => expect(decodeFormText(text)).toBe(decoded));
});

describe('options', () => {
  it('print in their own order, unknown ones dropped', () => {
    expect(formatOptions(parseOptions('png,bogus,q2,,fit,jpg,png'))).toBe('fit,q2,jpg,png');
    expect(formatOptions(parseOptions(optionNames.toReversed().join(',')))).toBe(
      'fit,squeeze,crop,fill,clip,osize,ascale,file,rawfile,errtxt,errimg,errcode,q0,q1,q2,q3,hires,autores,lores,vmir,hmir,jpg,png,webp,pxarea,sqarea,info,redirect_info,dir,deny_upscale',
    );
  });

  test.each(['FIT', 'fit q1', ' fit', ''])('%j holds none', (text) =>
    expect(formatOptions(parseOptions(text))).toBe(''),
  );
});

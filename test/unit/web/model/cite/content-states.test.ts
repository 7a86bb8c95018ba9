/** Content states in all forms of the specification, back and forth. */
import { describe, expect, it } from 'vitest';
import {
  contentStateOf,
  decodeContent,
  encodeContent,
  formatContentState,
  parseContentState,
  parseContentStates,
  viewerAddress,
} from '../../../../../web/src/model/cite/content-states.ts';

const manifest = 'https://example.org/iiif/item1/manifest';
const canvas = 'https://example.org/iiif/item1/canvas37';

const target = { id: `${canvas}#xywh=10,20,30,40`, type: 'Canvas', partOf: [{ id: manifest, type: 'Manifest' }] };
const pointed = { manifest, canvas, fragment: 'xywh=10,20,30,40' };

const annotation = { id: 'https://example.org/import/1', type: 'Annotation', motivation: ['contentState'], target };

describe('a content state', () => {
  it.each([
    ['the address of a manifest', manifest, { manifest, canvas: '', fragment: '' }],
    ['that encoded', encodeContent(manifest), { manifest, canvas: '', fragment: '' }],
    ['a manifest', JSON.stringify({ id: manifest, type: 'Manifest' }), { manifest, canvas: '', fragment: '' }],
    ['a canvas with its manifest', JSON.stringify(target), pointed],
    ['an annotation', JSON.stringify(annotation), pointed],
    ['an annotation, encoded', encodeContent(JSON.stringify(annotation)), pointed],
    [
      'several targets, of which the first counts',
      JSON.stringify({ ...annotation, target: [target, { id: 'x' }] }),
      pointed,
    ],
    [
      'a specific resource with a selector',
      JSON.stringify({
        ...annotation,
        target: {
          type: 'SpecificResource',
          source: { id: canvas, type: 'Canvas', partOf: [{ id: manifest, type: 'Manifest' }] },
          selector: { type: 'FragmentSelector', value: 'xywh=10,20,30,40' },
        },
      }),
      pointed,
    ],
    ['Base64 of plain UTF-8', Buffer.from(JSON.stringify({ ...target, label: 'Büch' })).toString('base64url'), pointed],
    ['a canvas alone', JSON.stringify({ id: canvas, type: 'Canvas' }), { manifest: '', canvas, fragment: '' }],
  ])('as %s is read', (_name, content, wanted) => {
    expect(parseContentState(content)).toEqual(wanted);
  });

  it.each([[''], ['{'], ['%%%'], ['null'], ['[]'], ['{"target":5}'], ['bm90IGpzb24']])('%s is none', (content) => {
    expect(parseContentState(content)).toBeUndefined();
  });

  it('in an annotation in an annotation without end is none', () => {
    const deep = Array.from({ length: 3000 }).reduce<object>((inner) => ({ target: inner }), { id: canvas });
    expect(parseContentState(JSON.stringify(deep))).toBeUndefined();
  });

  it('is encoded as in the specification, and read back', () => {
    const text = '{"id":"https://example.org/ä?x=1&y=~","type":"Manifest"}';
    expect(encodeContent(text)).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeContent(encodeContent(text))).toBe(text);
  });

  it('of a view names the canvas, its region in its units, and its manifest', () => {
    const region = { x: 0.1, y: 0.2, width: 0.5, height: 0.25 };
    const json = formatContentState({ manifest, canvas, region, size: { width: 1000, height: 800 } });
    expect(parseContentState(json)).toEqual({ manifest, canvas, fragment: 'xywh=100,160,500,200' });
    expect(parseContentState(formatContentState({ manifest, canvas, size: { width: 9, height: 9 } }))).toEqual({
      manifest,
      canvas,
      fragment: '',
    });
  });
});

const opened = { manifest, canvas, start: `${manifest}?start=x`, index: 4 };

const decoded = (state: string): unknown =>
  JSON.parse(decodeURIComponent(Buffer.from(state, 'base64url').toString())) as unknown;

describe('addresses of other viewers', () => {
  it.each([
    ['https://v.example/?m={manifest}', 'https://v.example/?m=https%3A%2F%2Fexample.org%2Fiiif%2Fitem1%2Fmanifest'],
    ['https://v.example/#?cv={index}', 'https://v.example/#?cv=4'],
    ['https://v.example/?c={canvas}', `https://v.example/?c=${encodeURIComponent(canvas)}`],
    ['https://v.example/?c={start}', `https://v.example/?c=${encodeURIComponent(opened.start)}`],
    ['https://v.example/?c={other}&d={constructor}', 'https://v.example/?c={other}&d={constructor}'],
  ])('%s becomes %s', (address, expected) => {
    expect(viewerAddress({ name: 'V', address }, opened)).toBe(expected);
  });

  it('contain a content state of the canvas, or of the manifest', () => {
    const state = contentStateOf({ manifest, canvas });
    expect(state).toMatch(/^[\w-]+$/);
    expect(decoded(state)).toMatchObject({ type: 'Annotation', target: { id: canvas, partOf: [{ id: manifest }] } });
    expect(decoded(contentStateOf({ manifest, canvas: '' }))).toMatchObject({
      target: { id: manifest, type: 'Manifest' },
    });
  });
});

it('several targets are all of them, to be compared (recipe 0540)', () => {
  const canvas = (name: string): object => ({
    id: `https://host.example/${name}#xywh=1,2,3,4`,
    type: 'Canvas',
    partOf: [{ id: `https://host.example/${name}/manifest`, type: 'Manifest' }],
  });
  const state = (target: unknown): string =>
    JSON.stringify({ type: 'Annotation', motivation: ['contentState'], target });
  const found = parseContentStates(encodeContent(state(['a', 'b', 'c', 'd', 'e'].map(canvas))));
  expect(found.map(({ canvas: id }) => id.at(-1))).toEqual(['a', 'b', 'c', 'd']);
  expect(found[1]).toEqual({
    manifest: 'https://host.example/b/manifest',
    canvas: 'https://host.example/b',
    fragment: 'xywh=1,2,3,4',
  });
  expect(parseContentStates(state(canvas('a')))).toHaveLength(1);
  expect(parseContentStates('nothing')).toEqual([]);
});

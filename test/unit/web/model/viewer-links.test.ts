import { describe, expect, it } from 'vitest';
import { contentStateOf, viewerAddress } from '../../../../web/src/model/cite/content-states.ts';
import { parseEmbedOptions, withOptions } from '../../../../web/src/model/embed/frame-messages.ts';

const manifest = 'https://a.example/presentation/3/b/manifest.json';
const canvas = 'https://a.example/presentation/3/b/canvas/ü-jpg';
const target = { manifest, canvas, start: `${manifest}?start=x`, index: 4 };

const decoded = (state: string): unknown =>
  JSON.parse(decodeURIComponent(Buffer.from(state, 'base64url').toString())) as unknown;

describe('addresses of other viewers', () => {
  it.each([
    [
      'https://v.example/?m={manifest}',
      'https://v.example/?m=https%3A%2F%2Fa.example%2Fpresentation%2F3%2Fb%2Fmanifest.json',
    ],
    ['https://v.example/#?cv={index}', 'https://v.example/#?cv=4'],
    ['https://v.example/?c={canvas}', `https://v.example/?c=${encodeURIComponent(canvas)}`],
    ['https://v.example/?c={start}', `https://v.example/?c=${encodeURIComponent(target.start)}`],
    ['https://v.example/?c={other}&d={constructor}', 'https://v.example/?c={other}&d={constructor}'],
  ])('%s becomes %s', (address, expected) => {
    expect(viewerAddress({ name: 'V', address }, target)).toBe(expected);
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

describe('the options of a frame', () => {
  it.each([
    ['', { toolbar: 'full', wheel: 'scroll' }],
    ['toolbar=none&wheel=zoom', { toolbar: 'none', wheel: 'zoom' }],
    ['toolbar=some&wheel=', { toolbar: 'full', wheel: 'scroll' }],
    ['id_token=1', { toolbar: 'full', wheel: 'scroll' }],
  ])('of %j are %j', (fragment, expected) => expect(parseEmbedOptions(fragment)).toEqual(expected));

  it('stay where a message has none or unknown ones', () => {
    const before = { toolbar: 'zoom', wheel: 'zoom' } as const;
    expect(withOptions(before, { toolbar: 7, wheel: 'scroll' })).toEqual({ toolbar: 'zoom', wheel: 'scroll' });
  });
});

import { describe, expect, it } from 'vitest';
import { pagesOf } from '../../../../../web/src/model/manifest/canvas.ts';
import { readCanvasMedia } from '../../../../../web/src/model/media/canvas-media.ts';
import { behaviorIn, chapterAt, flat, readChapters, startOn } from '../../../../../web/src/model/media/chapters.ts';
import { readTimeNotes } from '../../../../../web/src/model/media/time-notes.ts';

const id = 'https://a.example/canvas/1';
const canvasOf = (bodies: readonly (readonly [body: unknown, part: string])[], more: object = {}): object => ({
  id,
  type: 'Canvas',
  duration: 60,
  items: [
    {
      type: 'AnnotationPage',
      items: bodies.map(([body, part]) => ({ motivation: 'painting', body, target: id + part })),
    },
  ],
  ...more,
});
const sound = { id: 'https://a.example/a.mp3', type: 'Sound', format: 'audio/mpeg' };

describe('a canvas with time', () => {
  it.each([
    ['a duration', { id, duration: 3, items: [] }, true],
    ['sound without a duration', canvasOf([[sound, '']], { duration: undefined }), true],
    [
      'a video by its format',
      canvasOf([[{ id: 'https://a.example/v', format: 'video/mp4' }, '']], { duration: undefined }),
      true,
    ],
    ['a choice of sounds', canvasOf([[{ type: 'Choice', items: [sound] }, '']], { duration: undefined }), true],
    ['a scene', { id, type: 'Scene', items: [] }, true],
    ['a model', canvasOf([[{ id: 'https://a.example/m.glb', type: 'Model' }, '']], { duration: undefined }), true],
    ['an image', canvasOf([[{ id: 'https://a.example/i.jpg', type: 'Image' }, '']], { duration: undefined }), false],
    ['nothing', { id, type: 'Canvas', width: 1, height: 1, items: [] }, false],
  ])('is one with %s', (_kind, canvas, isPlayed) => {
    expect(pagesOf([canvas])).toHaveLength(1);
    expect(pagesOf([canvas])[0]?.played !== undefined).toBe(isPlayed);
  });

  it('has its files at their times and places, and where they begin', () => {
    const part = { type: 'SpecificResource', source: sound, selector: { type: 'FragmentSelector', value: 't=5,9' } };
    const { items } = readCanvasMedia(
      canvasOf(
        [
          [sound, '#t=10'],
          [part, '#xywh=percent:0,0,50,50&t=1,5'],
        ],
        { width: 100, height: 50 },
      ),
    );
    expect(items.map(({ kind, from, to, start, place }) => [kind, from, to, start, place.width])).toEqual([
      ['sound', 10, Number.POSITIVE_INFINITY, 0, 1],
      ['sound', 1, 5, 5, 0.5],
    ]);
  });

  it('leaves out what has no address of the web, and tells what it does not know', () => {
    const { items, unshown } = readCanvasMedia(
      canvasOf([
        [{ ...sound, id: 'javascript:alert(1)' }, ''],
        [{ type: 'Hologram', id: 'https://a.example/h' }, ''],
        [{ type: 'Model', id: 'https://a.example/m.glb', format: 'model/gltf-binary' }, ''],
        [{ type: 'TextualBody', value: '<b>Hello</b><script>x</script>' }, ''],
      ]),
    );
    expect(items.map(({ kind, text }) => [kind, text])).toEqual([['text', 'Hello']]);
    expect(unshown.map(({ kind, type }) => [kind, type])).toEqual([
      ['other', 'Hologram'],
      ['3d', 'Model'],
    ]);
  });
});

describe('chapters', () => {
  const range = (label: string, items: readonly object[], more: object = {}): object => ({
    id: `https://a.example/range/${label}`,
    type: 'Range',
    label: { en: [label] },
    items,
    ...more,
  });
  const part = (text: string): object => ({ type: 'Canvas', id: id + text });

  it('have their times and their depths, and end where the next begins or later', () => {
    const structures = [
      range('all', [
        range('one', [range('inner', [part('#t=0,5')]), range('other', [part('#t=5,9')])]),
        range('hidden', [part('#t=9,10')], { behavior: 'no-nav' }),
        range('two', [{ type: 'SpecificResource', source: id, selector: { type: 'PointSelector', t: 10 } }]),
      ]),
    ];
    const chapters = flat(readChapters({ structures }));
    expect(chapters.map(({ label, from, to, depth }) => [label['en']?.[0], from, to, depth])).toEqual([
      ['one', 0, 9, 0],
      ['inner', 0, 5, 1],
      ['other', 5, 9, 1],
      ['two', 10, undefined, 0],
    ]);
    expect(chapterAt(chapters, id, 6)?.label).toEqual({ en: ['other'] });
    expect(chapterAt(chapters, id, 9.5)).toBeUndefined();
    expect(chapterAt(chapters, 'https://a.example/canvas/2', 6)).toBeUndefined();
  });

  it('of a range that contains itself end', () => {
    const loop: { [name: string]: unknown } = { id: 'r', type: 'Range', label: 'r' };
    loop['items'] = [part('#t=1'), loop, loop];
    expect(flat(readChapters({ structures: [loop] })).length).toBeLessThan(100_000);
  });

  it('begin where the manifest says, and go on where it wants', () => {
    const start = { type: 'SpecificResource', source: id, selector: { type: 'PointSelector', t: 12.5 } };
    expect(startOn({ start }, id)).toBe(12.5);
    expect(startOn({ start }, 'https://a.example/canvas/2')).toBeUndefined();
    expect(startOn({}, id)).toBeUndefined();
    expect(behaviorIn({ behavior: ['auto-advance', 'repeat'] }, {})).toEqual({ goesOn: true, repeats: true });
    expect(behaviorIn({ behavior: ['auto-advance'] }, { behavior: ['no-auto-advance'] }).goesOn).toBe(false);
    expect(behaviorIn({}, { behavior: ['auto-advance'] }).goesOn).toBe(true);
  });
});

describe('annotations of a time', () => {
  it('are captions, lines of a transcript, or remarks', () => {
    const vtt = { id: 'https://a.example/a.vtt', type: 'Text', format: 'text/vtt', language: 'en' };
    const read = readTimeNotes({
      label: { en: ['A page'] },
      items: [
        { motivation: 'supplementing', body: vtt, target: id },
        { motivation: 'supplementing', body: { type: 'TextualBody', value: 'said' }, target: `${id}#t=1,2` },
        {
          motivation: 'commenting',
          body: { type: 'TextualBody', value: '<p>a <b>door</b></p>', format: 'text/html' },
          target: `${id}#t=3`,
        },
        { motivation: 'tagging', body: { type: 'TextualBody', value: 'noise' }, target: id },
        { motivation: 'commenting', body: [], target: id },
      ],
    });
    expect(read.captions.map(({ address }) => address)).toEqual(['https://a.example/a.vtt']);
    expect(read.lines).toEqual([{ from: 1, to: 2, text: 'said', voice: '' }]);
    expect(read.notes).toEqual([
      { from: 3, to: undefined, text: 'a door', tags: [] },
      { from: undefined, to: undefined, text: '', tags: ['noise'] },
    ]);
  });
});

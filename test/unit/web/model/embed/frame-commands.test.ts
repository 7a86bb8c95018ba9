import { describe, expect, it } from 'vitest';
import { frameAddress, parametersOf } from '../../../../../web/src/embed/frame-address.ts';
import { parseCommand, parseEmbedOptions, withOptions } from '../../../../../web/src/model/embed/frame-messages.ts';
import { plainView, type ViewState } from '../../../../../web/src/model/view-state.ts';

const before: ViewState = {
  ...plainView('maps/a.tif'),
  region: { x: 0.123456, y: 0.25, width: 0.5, height: 0.5 },
  rotation: 30,
  marks: [{ x: 0.1, y: 0.2, text: 'mine' }],
};

/** The view after a message; undefined if the message is no `show` command. */
function shown(message: object): ViewState | undefined {
  const command = parseCommand({ lectern: 1, type: 'show', ...message });
  return command?.type === 'show' ? command.change(before) : undefined;
}

describe('a message that shows', () => {
  it.each<[string, object, Partial<ViewState>]>([
    ['a rotation, brought to a full turn', { rotation: -90 }, { rotation: 270 }],
    [
      'a region, which fits the window',
      { region: { x: 0, y: 0, width: 1, height: 1, more: 1 }, mode: 'x' },
      { region: { x: 0, y: 0, width: 1, height: 1 }, mode: 'fit' },
    ],
    ['a mode', { mode: 'pixels' }, { mode: 'pixels' }],
    ['one mirror', { mirror: { vertical: true } }, { mirror: { horizontal: false, vertical: true } }],
    ['one color', { color: { contrast: 1, operation: 'x' } }, { color: { ...before.color, contrast: 1 } }],
    ['marks, without what is none', { marks: [{ x: 1, y: 0 }, { x: '1', y: 0 }, null] }, { marks: [{ x: 1, y: 0 }] }],
    [
      'rectangles with texts',
      { rectangles: [{ x: 0, y: 0, width: 1, height: 1, text: 'A' }] },
      { rectangles: [{ x: 0, y: 0, width: 1, height: 1, text: 'A' }] },
    ],
    ['two pages', { twoPages: true }, { twoPages: true }],
    ['shifted openings', { shifted: true }, { shifted: true }],
    ['nothing of a view', { fn: 'other.tif', pn: 7, unknown: [['a', 'b']] }, {}],
    ['numbers that are none', { rotation: Number.NaN, region: { x: 0, y: 0, width: 0, height: 1 } }, {}],
  ])('%s', (_name, view, change) => expect(shown({ view })).toEqual({ ...before, ...change }));

  it.each<[string, Partial<ViewState>]>([
    ['rot=90', { rotation: 90 }],
    ['rot=', { rotation: 0 }],
    ['ww=0.25&wh=0.25', { region: { x: 0.1235, y: 0.25, width: 0.25, height: 0.25 } }],
    ['mk=0.5/0.5', { marks: [{ x: 0.5, y: 0.5 }] }],
    ['fn=other.tif&pn=7', {}],
    ['', {}],
  ])('parameters, and keeps what they do not name: %s', (query, change) =>
    expect(shown({ query })).toEqual({ ...before, ...change }),
  );
});

describe('a message', () => {
  it.each<[unknown, unknown]>([
    [{ lectern: 1, type: 'next' }, { type: 'next' }],
    [
      { lectern: 1, type: 'page', at: 3 },
      { type: 'page', at: 3 },
    ],
    [
      { lectern: 1, type: 'page', path: '/maps//b.tif' },
      { type: 'open', path: 'maps/b.tif' },
    ],
    [
      { lectern: 1, type: 'get', id: 'a' },
      { type: 'get', id: 'a' },
    ],
    [{ lectern: 1, type: 'get', id: {} }, undefined],
    [{ lectern: 1, type: 'page', at: 0 }, undefined],
    [{ lectern: 1, type: 'page', at: '3' }, undefined],
    [{ lectern: 1, type: 'page', path: '/' }, undefined],
    [{ lectern: 1, type: 'show' }, undefined],
    [{ lectern: 1, type: 'toString' }, undefined],
    [{ lectern: '1', type: 'next' }, undefined],
    [{ type: 'next' }, undefined],
    [[], undefined],
    ['next', undefined],
    [null, undefined],
  ])('%j is parsed as %j', (message, command) => expect(parseCommand(message)).toEqual(command));
});

describe('the element’s attributes', () => {
  it.each([
    ['rotation', '90', [['rot', '90']]],
    [
      'region',
      '0.1, 0.2,0.3,0.4',
      [
        ['wx', '0.1'],
        ['wy', '0.2'],
        ['ww', '0.3'],
        ['wh', '0.4'],
      ],
    ],
    [
      'region',
      '',
      [
        ['wx', ''],
        ['wy', ''],
        ['ww', ''],
        ['wh', ''],
      ],
    ],
    ['mo', 'hmir', [['mo', 'hmir']]],
    [
      'view',
      'rot=90&mk=0.1/0.2',
      [
        ['rot', '90'],
        ['mk', '0.1/0.2'],
      ],
    ],
  ])('%s="%s" sets the parameters %j', (name, value, pairs) => expect(parametersOf(name, value)).toEqual(pairs));

  const page = 'https://museum.example/page/';
  const base = 'https://library.example/books/';
  it.each<[string, Partial<Parameters<typeof frameAddress>[0]>, string | undefined]>([
    ['a view', { src: `${base}view/maps/a.tif?rot=9` }, `${base}embed/maps/a.tif?rot=9`],
    ['a view in a folder of that name', { src: `${base}view/view/a.tif` }, `${base}embed/view/a.tif`],
    ['what is for pages already', { src: `${base}embed/view/a.tif` }, `${base}embed/view/a.tif`],
    ['an address from here', { src: '/embed/a.tif' }, 'https://museum.example/embed/a.tif'],
    ['a path', { path: 'maps/a b?.tif' }, `${base}embed/maps/a%20b%3F.tif`],
    ['a base without a slash', { path: 'a.tif', base: 'https://library.example/books' }, `${base}embed/a.tif`],
    [
      'parameters, before those of the address',
      {
        src: `${base}view/a.tif?rot=9&mo=q1`,
        parameters: [
          ['rot', '5'],
          ['cont', ''],
        ],
      },
      `${base}embed/a.tif?rot=5&mo=q1`,
    ],
    [
      'options of the frame',
      {
        src: `${base}view/a.tif?rot=9#x`,
        options: [
          ['toolbar', 'none'],
          ['wheel', ''],
        ],
      },
      `${base}embed/a.tif?rot=9#toolbar=none`,
    ],
    ['a script', { src: 'javascript:alert(1)' }, undefined],
    ['no address', { src: 'https://' }, undefined],
    ['nothing', {}, undefined],
  ])('result in the address of %s', (_name, attributes, address) =>
    expect(frameAddress({ src: null, path: null, base, parameters: [], options: [], ...attributes }, page)?.href).toBe(
      address,
    ),
  );
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

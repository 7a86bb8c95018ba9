/** Which layers of a page are shown and how they are drawn, and how addresses say it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLayers, parseLayers } from '../../../../../web/src/model/address/layer-query.ts';
import {
  drawnLayers,
  extentOf,
  falseColor,
  type Layer,
  only,
  shownOf,
  withChannel,
  withToggled,
} from '../../../../../web/src/model/view/layers.ts';
import {
  type LayersView,
  layerMixes,
  layerTints,
  plainLayers,
  type ShownLayer,
  wholeImage,
} from '../../../../../web/src/model/view-state.ts';

const parse = (query: Readonly<Record<string, string>>): LayersView => parseLayers((name) => query[name] ?? '');
const layer = (number: number, more: Partial<ShownLayer> = {}): ShownLayer => ({
  number,
  opacity: 1,
  tint: undefined,
  ...more,
});

describe('the address', () => {
  const shownLayer = fc.record({
    number: fc.integer({ min: 1, max: 99 }),
    opacity: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    tint: fc.constantFrom(undefined, ...layerTints),
  });
  const views = fc.record({
    shown: fc.option(
      fc
        .uniqueArray(shownLayer, { selector: ({ number }) => number, maxLength: 20 })
        .map((list) => list.toSorted((one, other) => one.number - other.number)),
      { nil: undefined },
    ),
    mix: fc.constantFrom(...layerMixes),
    edge: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(parse(Object.fromEntries(formatLayers(view)))).toEqual(view);
      }),
    );
  });

  it('says nothing of what a page begins with', () => expect(formatLayers(plainLayers)).toEqual([]));

  it.each([
    ['1,2/0.5,3/1/red', [layer(1), layer(2, { opacity: 0.5 }), layer(3, { tint: 'red' })]],
    ['3,1,3/0.5', [layer(1), layer(3, { opacity: 0.5 })]],
    ['2/7,1/-1', [layer(1, { opacity: 0 }), layer(2)]],
    ['1/x/pink', [layer(1)]],
    ['none', []],
    ['0,-1,x,', undefined],
  ])('%s', (text, shown) => expect(parse({ layers: text }).shown).toEqual(shown));
});

describe('what is drawn', () => {
  const drawn = (shown: readonly ShownLayer[], mix: LayersView['mix'] = 'over', isOff = false) =>
    drawnLayers(shown, { mix }, isOff).map(({ number, composite, isCut }) => [number, composite, isCut]);
  const both = [layer(1), layer(4)];

  it('is each layer over those below it', () =>
    expect(drawn(both)).toEqual([
      [1, 'source-over', false],
      [4, 'source-over', false],
    ]));

  it('is mixed with the upper one, but not where it is alone', () => {
    expect(drawn(both, 'difference')).toEqual([
      [1, 'source-over', false],
      [4, 'difference', false],
    ]);
    expect(drawn(both, 'slider')[1]).toEqual([4, 'source-over', true]);
    expect(drawn(only(4), 'slider')).toEqual([[4, 'source-over', false]]);
    expect(drawn(both, 'blink', true)).toEqual([[1, 'source-over', false]]);
    expect(drawn(only(4), 'blink', true)).toEqual([[4, 'source-over', false]]);
  });

  it('are channels that are added, without a layer that can not be seen', () => {
    const channels = [
      layer(1, { tint: 'red' }),
      layer(2, { tint: 'green', opacity: 0 }),
      layer(3, { tint: 'blue', opacity: 0.5 }),
    ];
    expect(drawn(channels)).toEqual([
      [1, 'source-over', false],
      [3, 'lighter', false],
    ]);
  });
});

describe('what the reader chooses', () => {
  it('adds layers in their order, and takes them away', () => {
    expect(withToggled([layer(1), layer(5)], 3).map(({ number }) => number)).toEqual([1, 3, 5]);
    expect(withToggled([layer(1), layer(5)], 5)).toEqual([layer(1)]);
  });

  it('gives each channel a layer of its own', () => {
    const first = falseColor(16);
    expect(first.map(({ number, tint }) => [number, tint])).toEqual([
      [1, 'blue'],
      [9, 'green'],
      [16, 'red'],
    ]);
    expect(withChannel(first, 'red', 1).map(({ number, tint }) => [number, tint])).toEqual([
      [1, 'red'],
      [9, 'green'],
      [16, 'blue'],
    ]);
    expect(falseColor(2).map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe('a page', () => {
  const painted = (more: Partial<Layer>): Layer => ({
    path: 'a',
    label: 'a',
    place: wholeImage,
    part: undefined,
    isShownAtFirst: true,
    ...more,
  });

  it('shows what it begins with, or those that it has of the chosen ones', () => {
    const layers = [painted({}), painted({ isShownAtFirst: false }), painted({})];
    expect(shownOf(undefined, layers).map(({ number }) => number)).toEqual([1, 3]);
    expect(shownOf([layer(2), layer(9)], layers)).toEqual([layer(2)]);
  });

  it('is as large as all of its images together, as far as they are seen', () => {
    const left = painted({ place: { x: -0.25, y: 0, width: 0.25, height: 0.5 } });
    expect(extentOf([painted({}), left])).toEqual({ x: -0.25, y: 0, width: 1.25, height: 1 });
    const part = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
    expect(extentOf([painted({ part })])).toEqual(part);
    expect(extentOf([])).toEqual(wholeImage);
  });
});

/** The layers of a page: which are shown, how they are drawn over each other, and what changes that. */
import { type LayersView, type LayerTint, layerTints, type Rect, type ShownLayer, wholeImage } from '../view-state.ts';
import { boxAround, cornersOf, partOnCanvas } from './geometry.ts';

/** One of the images that lie over each other on a page, from the lowest. */
export interface Layer {
  /** The path of its image. */
  readonly path: string;
  readonly label: string;
  /** Where it lies, in fractions of the image that the page stands for. */
  readonly place: Rect;
  /** The part of it that is seen, in fractions of it; undefined for the whole. */
  readonly part: Rect | undefined;
  readonly isShownAtFirst: boolean;
}

/** What an image with a place shows, in fractions of that which the place refers to. */
const seenOf = ({ place, part }: Layer): Rect => (part === undefined ? place : partOnCanvas(part, place));

/** What all layers cover together, in fractions of the image that the page stands for. */
export function extentOf(layers: readonly Layer[]): Rect {
  return boxAround(layers.flatMap((layer) => cornersOf(seenOf(layer)))) ?? wholeImage;
}

const whole = (number: number): ShownLayer => ({ number, opacity: 1, tint: undefined });

/** The layers that a view shows: those that the page has. */
export const shownOf = (shown: LayersView['shown'], layers: readonly Layer[]): readonly ShownLayer[] =>
  shown === undefined
    ? layers.flatMap(({ isShownAtFirst }, index) => (isShownAtFirst ? [whole(index + 1)] : []))
    : shown.filter(({ number }) => number <= layers.length);

/** How a canvas combines a layer with those below it. */
type Composite = 'source-over' | 'lighter' | 'difference';

export interface DrawnLayer extends ShownLayer {
  readonly composite: Composite;
  /** Whether it is cut off at the left of the edge. */
  readonly isCut: boolean;
}

/** How layers are drawn, from the lowest; `isOff` takes the upper one away, as a blinking one is for half of the time. */
export function drawnLayers(
  shown: readonly ShownLayer[],
  { mix }: Pick<LayersView, 'mix'>,
  isOff = false,
): readonly DrawnLayer[] {
  const visible = shown.filter(({ opacity }) => opacity > 0);
  const last = visible.length - 1;
  const isMixed = last > 0;
  return visible.flatMap((layer, index) => {
    const isUpper = isMixed && index === last;
    if (isUpper && mix === 'blink' && isOff) return [];
    const isAdded = layer.tint !== undefined && visible.slice(0, index).some(({ tint }) => tint !== undefined);
    const composite = isUpper && mix === 'difference' ? 'difference' : isAdded ? 'lighter' : 'source-over';
    return [{ ...layer, composite, isCut: isUpper && mix === 'slider' }];
  });
}

const inOrder = (shown: readonly ShownLayer[]): readonly ShownLayer[] =>
  shown.toSorted((one, other) => one.number - other.number);

export const isShown = (shown: readonly ShownLayer[], number: number): boolean =>
  shown.some((layer) => layer.number === number);

/** Shows a layer beside the others, or hides it. */
export const withToggled = (shown: readonly ShownLayer[], number: number): readonly ShownLayer[] =>
  isShown(shown, number) ? shown.filter((layer) => layer.number !== number) : inOrder([...shown, whole(number)]);

export const only = (number: number): readonly ShownLayer[] => [whole(number)];

export const withLayer = (
  shown: readonly ShownLayer[],
  number: number,
  change: Partial<Omit<ShownLayer, 'number'>>,
): readonly ShownLayer[] => shown.map((layer) => (layer.number === number ? { ...layer, ...change } : layer));

/** The number of the layer that is seen as a channel. */
export const numberOfTint = (shown: readonly ShownLayer[], tint: LayerTint): number | undefined =>
  shown.find((layer) => layer.tint === tint)?.number;

/**
 * The layers as the channels of a false color, each in one: where a layer is chosen for a second channel, the first one gets what the
 * second had.
 */
export function withChannel(shown: readonly ShownLayer[], tint: LayerTint, number: number): readonly ShownLayer[] {
  const before = numberOfTint(shown, tint);
  const numbers = new Map(layerTints.map((name) => [name, numberOfTint(shown, name)]));
  for (const [name, other] of numbers) if (other === number) numbers.set(name, before);
  numbers.set(tint, number);
  const opacityOf = (of: number): number => shown.find((layer) => layer.number === of)?.opacity ?? 1;
  const channels = [...numbers].flatMap(([name, of]): readonly ShownLayer[] =>
    of === undefined ? [] : [{ number: of, opacity: opacityOf(of), tint: name }],
  );
  return inOrder(channels);
}

/** The first false color of some layers: three of them that lie far apart, the last one red, as the longest wavelength often is. */
export function falseColor(count: number): readonly ShownLayer[] {
  const numbers = [count, Math.ceil((count + 1) / 2), 1];
  const channels = layerTints.map((tint, index): ShownLayer => ({ number: numbers[index] ?? 1, opacity: 1, tint }));
  return inOrder([...new Map(channels.map((channel) => [channel.number, channel])).values()]);
}

export const isFalseColor = (shown: readonly ShownLayer[]): boolean => shown.some(({ tint }) => tint !== undefined);

/** The same layers in their own colors. */
export const inOwnColors = (shown: readonly ShownLayer[]): readonly ShownLayer[] =>
  shown.map((layer) => ({ ...layer, tint: undefined }));

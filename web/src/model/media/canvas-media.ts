/** A canvas with sound or video as it is played: what is on it, when and where; and what is on it that can't be shown. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isFiniteNumber, memberOf, textOf } from '../json-value.ts';
import { firstOf, itemsOf, plainText, textsOf, typeOf, webAddress } from '../manifest/members.ts';
import { type PageImage, sizeOf } from '../manifest/page-image.ts';
import { layersOf, paintingsOf, placeIn, targetText } from '../manifest/painted-images.ts';
import { type Rect, wholeImage } from '../view-state.ts';
import { spanOf } from './time.ts';

export interface MediaFile {
  readonly address: string;
  /** The media type; empty where it is not said. */
  readonly format: string;
  readonly label: LanguageMap;
}

export interface TimedItem {
  readonly kind: 'sound' | 'video' | 'image' | 'text';
  /** Of sound and video, forms of the same thing to choose from. */
  readonly files: readonly MediaFile[];
  readonly image: PageImage | undefined;
  readonly text: string;
  /** When it is on the canvas, in seconds of the canvas; without an end, to that of the canvas. */
  readonly from: number;
  readonly to: number;
  /** Where its file begins then, in seconds of the file. */
  readonly start: number;
  /** In fractions of the canvas. */
  readonly place: Rect;
}

/** A link of the manifest to a file: captions, or another form of the whole. */
export interface LinkedFile {
  readonly address: string;
  readonly format: string;
  readonly label: LanguageMap;
  readonly language: string;
}

/** What can't be shown, by its kind, with its file where it has one. */
export interface Unshown {
  readonly kind: '3d' | 'other';
  readonly type: string;
  readonly address: string | undefined;
  readonly format: string;
}

export interface CanvasMedia {
  /** Whether the page is a scene of Presentation 4, which has three dimensions. */
  readonly isScene: boolean;
  readonly duration: number | undefined;
  readonly size: Size | undefined;
  readonly items: readonly TimedItem[];
  readonly unshown: readonly Unshown[];
  /** Shown before it is played, and while it plays. */
  readonly placeholder: PageImage | undefined;
  readonly accompanying: PageImage | undefined;
  /** Other forms of the canvas, such as a transcript. */
  readonly renderings: readonly LinkedFile[];
}

/** How deep bodies may be in choices and specific resources. */
const maxDepth = 4;

interface Body {
  readonly resource: unknown;
  /** Where the file begins, by a fragment or a selector of the body. */
  readonly start: number;
}

/** The resources of a body: all of a choice, each behind its specific resource. */
function resourcesOf(body: unknown, start = 0, depth = 0): readonly Body[] {
  if (depth > maxDepth) return [];
  return itemsOf(body, 40).flatMap((one) => {
    if (typeOf(one) === 'Choice') return resourcesOf(memberOf(one, 'items') ?? memberOf(one, 'item'), start, depth + 1);
    const from = spanOf(one)?.from ?? start;
    if (typeOf(one) === 'SpecificResource') return resourcesOf(firstOf(one, 'source', 'full'), from, depth + 1);
    return [{ resource: one, start: from }];
  });
}

const formatOf = (resource: unknown): string => textOf(memberOf(resource, 'format')).toLowerCase();

/** Presentation 4 calls sound audio. */
export function kindOf(resource: unknown): TimedItem['kind'] | 'model' | undefined {
  const [type, format] = [typeOf(resource), formatOf(resource)];
  if (type === 'Sound' || type === 'Audio') return 'sound';
  if (type === 'Video') return 'video';
  if (type === 'Model' || format.startsWith('model/')) return 'model';
  if (type === 'TextualBody') return 'text';
  if (type === 'Image') return 'image';
  if (format.startsWith('audio/')) return 'sound';
  if (format.startsWith('video/')) return 'video';
  return format.startsWith('image/') ? 'image' : undefined;
}

const fileOf = ({ resource }: Body): readonly MediaFile[] => {
  const address = webAddress(resource);
  const label = textsOf(memberOf(resource, 'label'));
  return address === undefined ? [] : [{ address, format: formatOf(resource), label }];
};

const lengthOfTime = (value: unknown): number | undefined =>
  isFiniteNumber(value) && value > 0 && value <= 86_400 ? value : undefined;

/** Where a painting is in time and space. */
function partOf(annotation: unknown, size: Size | undefined): Pick<TimedItem, 'from' | 'to' | 'place'> {
  const span = spanOf(firstOf(annotation, 'target', 'on'));
  const place = size && placeIn(targetText(annotation), size);
  return { from: span?.from ?? 0, to: span?.to ?? Number.POSITIVE_INFINITY, place: place ?? wholeImage };
}

function itemOf(annotation: unknown, canvas: unknown): readonly TimedItem[] {
  const bodies = resourcesOf(firstOf(annotation, 'body', 'resource'));
  const [first] = bodies;
  const kind = kindOf(first?.resource);
  if (first === undefined || kind === undefined || kind === 'model') return [];
  const part = partOf(annotation, sizeOf(canvas));
  const plain = { kind, files: [], image: undefined, text: '', start: first.start, ...part };
  if (kind === 'text') {
    const text = plainText(textOf(memberOf(first.resource, 'value')).slice(0, 10_000));
    return text === '' ? [] : [{ ...plain, text }];
  }
  if (kind === 'image') {
    const [painted] = layersOf({ items: [{ items: [annotation] }] });
    return painted === undefined ? [] : [{ ...plain, image: painted.image }];
  }
  const files = bodies.filter(({ resource }) => kindOf(resource) === kind).flatMap(fileOf);
  return files.length === 0 ? [] : [{ ...plain, files }];
}

const known: ReadonlySet<string> = new Set(['', 'Canvas', 'Dataset', 'Text']);

/** Models, and what is in scenes alone, such as cameras, which go without saying. */
function unshownOf(annotation: unknown, isScene: boolean): readonly Unshown[] {
  return resourcesOf(firstOf(annotation, 'body', 'resource')).flatMap(({ resource }): readonly Unshown[] => {
    const kind = kindOf(resource);
    const facts = { type: typeOf(resource), address: webAddress(resource), format: formatOf(resource) };
    if (kind === 'model') return [{ kind: '3d', ...facts }];
    if (kind !== undefined || isScene || known.has(facts.type)) return [];
    return [{ kind: 'other', ...facts }];
  });
}

const pictureOf = (canvas: unknown): PageImage | undefined => layersOf(canvas)[0]?.image;

export const linkedFile = (value: unknown): readonly LinkedFile[] => {
  const address = webAddress(value);
  const language = textOf(itemsOf(memberOf(value, 'language'), 1)[0]).slice(0, 40);
  const label = textsOf(memberOf(value, 'label'));
  return address === undefined ? [] : [{ address, format: formatOf(value), label, language }];
};

export function readCanvasMedia(canvas: unknown): CanvasMedia {
  const paintings = paintingsOf(canvas);
  const isScene = typeOf(canvas) === 'Scene';
  const items = isScene ? [] : paintings.flatMap((annotation) => itemOf(annotation, canvas));
  return {
    isScene,
    duration: lengthOfTime(memberOf(canvas, 'duration')),
    size: sizeOf(canvas),
    items: items.slice(0, 200),
    unshown: paintings.flatMap((annotation) => unshownOf(annotation, isScene)).slice(0, 20),
    // Presentation 4 calls them containers.
    placeholder: pictureOf(firstOf(canvas, 'placeholderCanvas', 'placeholderContainer')),
    accompanying: pictureOf(firstOf(canvas, 'accompanyingCanvas', 'accompanyingContainer')),
    renderings: itemsOf(memberOf(canvas, 'rendering'), 50).flatMap(linkedFile),
  };
}

/** Answers of Content Search 1.0 and 2.0: what a search found, and how each version writes it. */
import type { Rect, Size } from '../../../core/image/model/geometry.ts';

interface FoundManifest {
  readonly id: string;
  readonly label: string;
}

/** A place where the words stand. */
export interface FoundOnCanvas {
  readonly canvas: string;
  /** The manifest of the canvas, where the search is not in that alone. */
  readonly manifest?: FoundManifest;
  readonly before: string;
  readonly match: string;
  readonly after: string;
  /** A box for each line, in pixels of the canvas; none for the whole of it. */
  readonly boxes: readonly Rect[];
  /** The size of the canvas in pixels, where there are no boxes. */
  readonly size?: Size;
}

/** A page of results. */
export interface SearchResult {
  /** The address that was requested. */
  readonly id: string;
  /** The address of the search without the page. */
  readonly whole: string;
  readonly found: readonly FoundOnCanvas[];
  /** Names of parameters that have no effect. */
  readonly ignored: readonly string[];
  readonly first: string;
  readonly last: string;
  /** How many annotations all pages of results have together; only on the first one, unless they are too many to be counted. */
  readonly total?: number;
  readonly next?: string;
  readonly previous?: string;
}

interface Term {
  readonly text: string;
  readonly count: number;
  /** The search for it. */
  readonly search: string;
}

export interface TermResult {
  readonly id: string;
  readonly ignored: readonly string[];
  readonly terms: readonly Term[];
}

/** An annotation for each box of a place, with an address that no other annotation of the answer has. */
interface NumberedBox {
  readonly id: string;
  /** The canvas with the box. */
  readonly target: string;
}

/** How many places of the same canvas stand before each place. */
function positionsOnCanvas(found: readonly FoundOnCanvas[]): readonly number[] {
  const counts = new Map<string, number>();
  return found.map(({ canvas }) => {
    const position = counts.get(canvas) ?? 0;
    counts.set(canvas, position + 1);
    return position;
  });
}

/**
 * The boxes of each place; a place without boxes has the whole canvas. All places of a canvas are on the same page of results,
 * so that the addresses are the same whichever page is requested.
 */
function numberedBoxes({ whole, found }: SearchResult): readonly (readonly [FoundOnCanvas, readonly NumberedBox[]])[] {
  const positions = positionsOnCanvas(found);
  return found.map((place, index) => {
    const { canvas, boxes } = place;
    const targets = boxes.map(({ x, y, width, height }) => `${canvas}#xywh=${x},${y},${width},${height}`);
    const name = `${whole}#${encodeURIComponent(canvas)},${(positions[index] ?? 0) + 1}`;
    const numbered = (targets.length > 0 ? targets : [canvas]).map((target, line) => ({
      id: line === 0 ? name : `${name},${line + 1}`,
      target,
    }));
    return [place, numbered] as const;
  });
}

/** How a version writes what was found, and words that go on from what was begun. */
interface SearchSerializer {
  results(result: SearchResult): object;
  terms(result: TermResult): object;
}

/** The boxes of all places, and whether the answer is one of several. */
const placed = (result: SearchResult) => ({
  places: numberedBoxes(result),
  isPart: result.next !== undefined || result.previous !== undefined,
});

const ignoredMember = (ignored: readonly string[]): object => (ignored.length > 0 ? { ignored } : {});

const context1 = 'http://iiif.io/api/search/1/context.json';
const contexts = ['http://iiif.io/api/presentation/2/context.json', context1];

/** Universal Viewer shows nothing of an answer in which a target has no box, so the whole canvas is written as one. */
function targetOf({ target }: NumberedBox, { boxes, size }: FoundOnCanvas): string {
  return boxes.length > 0 || size === undefined ? target : `${target}#xywh=0,0,${size.width},${size.height}`;
}

function annotation1(box: NumberedBox, place: FoundOnCanvas): object {
  const { match, manifest } = place;
  const target = targetOf(box, place);
  const within = manifest && { '@id': manifest.id, '@type': 'sc:Manifest', label: manifest.label };
  return {
    '@id': box.id,
    '@type': 'oa:Annotation',
    motivation: 'sc:painting',
    resource: { '@type': 'cnt:ContentAsText', format: 'text/plain', chars: match },
    on: within === undefined ? target : { '@id': target, within },
  };
}

/** The text around a place (section 3.4.2); a place with several boxes has several annotations (section 3.4.5). */
const hitOf = ({ before, match, after }: FoundOnCanvas, boxes: readonly NumberedBox[]): object => ({
  '@type': 'search:Hit',
  annotations: boxes.map(({ id }) => id),
  match,
  before,
  after,
});

/**
 * The number of annotations of all parts (Presentation 2.1, section 3.2, "total"). Mirador takes it for the number of hits,
 * and says that there are more: where a single part has all of them, it is only written where both numbers are the same.
 */
function totalOf(
  { total }: SearchResult,
  isAll: boolean,
  counts: { readonly hits: number; readonly boxes: number },
): object {
  if (isAll) return counts.hits === counts.boxes ? { total: counts.boxes } : {};
  return total === undefined ? {} : { total };
}

/** A page of results of 1.0, in a layer where there are several or parameters were ignored. */
function annotationList(result: SearchResult): object {
  const { id, ignored, first, last, next, previous } = result;
  const { places, isPart } = placed(result);
  const resources = places.flatMap(([place, boxes]) => boxes.map((box) => annotation1(box, place)));
  return {
    '@context': contexts,
    '@id': id,
    '@type': 'sc:AnnotationList',
    within: {
      '@type': 'sc:Layer',
      ...totalOf(result, !isPart, { hits: places.length, boxes: resources.length }),
      ...(isPart ? { first, last } : {}),
      ...ignoredMember(ignored),
    },
    ...(previous === undefined ? {} : { prev: previous }),
    ...(next === undefined ? {} : { next }),
    resources,
    hits: places.map(([place, boxes]) => hitOf(place, boxes)),
  };
}

/** Words that go on from what was begun. */
const termList = ({ id, ignored, terms }: TermResult): object => ({
  '@context': context1,
  '@id': id,
  '@type': 'search:TermList',
  ...ignoredMember(ignored),
  terms: terms.map(({ text, count, search }) => ({ match: text, url: search, count })),
});

const context2 = 'http://iiif.io/api/search/2/context.json';

const page = (id: string): object => ({ id, type: 'AnnotationPage' });

function annotation2({ id, target }: NumberedBox, { match, manifest }: FoundOnCanvas): object {
  const partOf = manifest && [{ id: manifest.id, type: 'Manifest', label: { none: [manifest.label] } }];
  return {
    id,
    type: 'Annotation',
    motivation: 'supplementing',
    body: { type: 'TextualBody', value: match, format: 'text/plain' },
    target: partOf === undefined ? target : { id: target, type: 'Canvas', partOf },
  };
}

/** The text around a place (section 4.2.5); a place with several boxes has several targets (section 4.2.8). */
function contextOf({ before, match, after }: FoundOnCanvas, boxes: readonly NumberedBox[]): object {
  const selector = [{ type: 'TextQuoteSelector', prefix: before, exact: match, suffix: after }];
  const targets = boxes.map(({ id }) => ({ type: 'SpecificResource', source: id, selector }));
  return {
    id: `${boxes[0]?.id ?? ''},context`,
    type: 'Annotation',
    motivation: 'contextualizing',
    target: targets.length === 1 ? targets[0] : targets,
  };
}

/** A page of results of 2.0, in a collection where there are several. */
function annotationPage(result: SearchResult): object {
  const { id, whole, ignored, first, last, total, next, previous } = result;
  const { places, isPart } = placed(result);
  const count = total === undefined ? {} : { total };
  const all = { id: whole, type: 'AnnotationCollection', ...count, first: page(first), last: page(last) };
  return {
    '@context': context2,
    id,
    type: 'AnnotationPage',
    ...ignoredMember(ignored),
    ...(isPart ? { partOf: all } : {}),
    ...(previous === undefined ? {} : { prev: page(previous) }),
    ...(next === undefined ? {} : { next: page(next) }),
    items: places.flatMap(([place, boxes]) => boxes.map((box) => annotation2(box, place))),
    ...(places.length > 0
      ? {
          annotations: [
            {
              id: `${id}#context`,
              type: 'AnnotationPage',
              items: places.map(([place, boxes]) => contextOf(place, boxes)),
            },
          ],
        }
      : {}),
  };
}

/** Words that go on from what was begun. */
const termPage = ({ id, ignored, terms }: TermResult): object => ({
  '@context': context2,
  id,
  type: 'TermPage',
  ...ignoredMember(ignored),
  items: terms.map(({ text, count, search }) => ({
    type: 'Term',
    value: text,
    total: count,
    service: [{ id: search, type: 'SearchService2' }],
  })),
});

export const searchSerializers: Readonly<Record<1 | 2, SearchSerializer>> = {
  1: { results: annotationList, terms: termList },
  2: { results: annotationPage, terms: termPage },
};

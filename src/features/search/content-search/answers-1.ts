/** Answers of Content Search 1.0: lists of annotations with hits, and lists of terms. */
import { type FoundOnCanvas, type NumberedBox, numberedBoxes, type SearchResult, type TermResult } from './found.ts';

const searchContext = 'http://iiif.io/api/search/1/context.json';
const contexts = ['http://iiif.io/api/presentation/2/context.json', searchContext];

/** Universal Viewer shows nothing of an answer in which a target has no box, so the whole canvas is written as one. */
function targetOf({ target }: NumberedBox, { boxes, size }: FoundOnCanvas): string {
  return boxes.length > 0 || size === undefined ? target : `${target}#xywh=0,0,${size.width},${size.height}`;
}

function annotationOf(box: NumberedBox, place: FoundOnCanvas): object {
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

/** A page of results, in a layer where there are several or parameters were ignored. */
export function annotationList(result: SearchResult): object {
  const { id, ignored, first, last, next, previous } = result;
  const places = numberedBoxes(result);
  const resources = places.flatMap(([place, boxes]) => boxes.map((box) => annotationOf(box, place)));
  const isAll = next === undefined && previous === undefined;
  return {
    '@context': contexts,
    '@id': id,
    '@type': 'sc:AnnotationList',
    within: {
      '@type': 'sc:Layer',
      ...totalOf(result, isAll, { hits: places.length, boxes: resources.length }),
      ...(isAll ? {} : { first, last }),
      ...(ignored.length > 0 ? { ignored } : {}),
    },
    ...(previous === undefined ? {} : { prev: previous }),
    ...(next === undefined ? {} : { next }),
    resources,
    hits: places.map(([place, boxes]) => hitOf(place, boxes)),
  };
}

/** Words that go on from what was begun. */
export const termList = ({ id, ignored, terms }: TermResult): object => ({
  '@context': searchContext,
  '@id': id,
  '@type': 'search:TermList',
  ...(ignored.length > 0 ? { ignored } : {}),
  terms: terms.map(({ text, count, search }) => ({ match: text, url: search, count })),
});

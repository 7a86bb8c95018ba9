/** Answers of Content Search 2.0: annotation pages with the places and their context, and lists of terms. */
import { type FoundOnCanvas, type NumberedBox, numberedBoxes, type SearchResult, type TermResult } from './found.ts';

const context = 'http://iiif.io/api/search/2/context.json';

const page = (id: string): object => ({ id, type: 'AnnotationPage' });

function annotationOf({ id, target }: NumberedBox, { match, manifest }: FoundOnCanvas): object {
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

/** A page of results, in a collection where there are several. */
export function annotationPage(result: SearchResult): object {
  const { id, whole, ignored, first, last, total, next, previous } = result;
  const places = numberedBoxes(result);
  const isPart = next !== undefined || previous !== undefined;
  const count = total === undefined ? {} : { total };
  const all = { id: whole, type: 'AnnotationCollection', ...count, first: page(first), last: page(last) };
  return {
    '@context': context,
    id,
    type: 'AnnotationPage',
    ...(ignored.length > 0 ? { ignored } : {}),
    ...(isPart ? { partOf: all } : {}),
    ...(previous === undefined ? {} : { prev: page(previous) }),
    ...(next === undefined ? {} : { next: page(next) }),
    items: places.flatMap(([place, boxes]) => boxes.map((box) => annotationOf(box, place))),
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
export const termPage = ({ id, ignored, terms }: TermResult): object => ({
  '@context': context,
  id,
  type: 'TermPage',
  ...(ignored.length > 0 ? { ignored } : {}),
  items: terms.map(({ text, count, search }) => ({
    type: 'Term',
    value: text,
    total: count,
    service: [{ id: search, type: 'SearchService2' }],
  })),
});

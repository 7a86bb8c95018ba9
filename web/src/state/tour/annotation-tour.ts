/** Makes guided views of annotations: of a file, at an address, or of a whole manifest; loaded when the first are read. */
import { keyOfPage, pageOfKey, presentationAddresses } from '../../../../src/core/image/addresses/iiif-addresses.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import {
  childOf,
  formatIdentifier,
  joinPage,
  parseIdentifier,
  rootIdentifier,
} from '../../../../src/core/image/model/identifier.ts';
import { parseTour, type Tour, type TourStep, tourLimits } from '../../../../src/core/image/tour/tour.ts';
import type { Problem } from '../../data/fetch.ts';
import { fetchForeignJson } from '../../data/foreign-hosts.ts';
import { fetchImageFacts } from '../../data/image-info.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { parseRoute } from '../../model/address/address.ts';
import { decodeText, foreignPath, formatPairs } from '../../model/address/address-text.ts';
import { formatRegion } from '../../model/address/view-query.ts';
import { isObject, memberOf } from '../../model/json-value.ts';
import type { AnnotationSource } from '../../model/manifest/annotation-sources.ts';
import { readManifest } from '../../model/manifest/book.ts';
import type { ManifestPage } from '../../model/manifest/canvas.ts';
import { firstOf, idOf, itemsOf, textsOf, typeOf } from '../../model/manifest/members.ts';
import { nextPageOf, readAnnotations } from '../../model/notes/canvas-annotations.ts';
import { type AnnotatedStep, annotatedSteps } from '../../model/tour/annotation-steps.ts';
import { formatStepView } from '../../model/tour/step-view.ts';
import { type Rect, wholeImage } from '../../model/view-state.ts';

export type FoundTour =
  | { readonly ok: true; readonly tour: Tour }
  | {
      readonly ok: false;
      /** `only-here`: they are in another browser; `none`: what was found holds no guided views. */
      readonly problem: Problem | 'only-here' | 'none';
    };

/** How many documents are asked for to make guided views of annotations. */
const maxRequests = 60;

/** Where a canvas is seen. */
interface Place {
  readonly path: string;
  /** In units of the canvas; undefined where it does not say, so that parts of it mean nothing. */
  readonly size: Size | undefined;
  readonly place: Rect;
}

/** The path of the image on a canvas of this library, whose id names it. */
function ownPath(canvas: string): string | undefined {
  const prefix = `${baseAddress()}presentation/3/`;
  const segments = canvas.startsWith(prefix) ? canvas.slice(prefix.length).split('/').map(decodeText) : [];
  const page = pageOfKey(segments.at(-1) ?? '');
  const folder = parseIdentifier(segments.slice(0, -2).join('/')) ?? rootIdentifier;
  if (page === undefined || segments.at(-2) !== 'canvas') return undefined;
  const addresses = presentationAddresses(prefix.slice(0, -1), formatIdentifier(folder), pageSettings.iiifSlash);
  // Only what this server itself would write.
  if (addresses.part('canvas', keyOfPage(page.file, page.page)) !== canvas) return undefined;
  return formatIdentifier(childOf(folder, joinPage(page.file, page.page)));
}

class Canvases {
  readonly #manifests = new Map<string, Promise<readonly ManifestPage[]>>();
  readonly #signal: AbortSignal | undefined;

  constructor(
    signal: AbortSignal | undefined,
    known?: { readonly address: string; readonly pages: readonly ManifestPage[] },
  ) {
    this.#signal = signal;
    if (known !== undefined) this.#manifests.set(known.address, Promise.resolve(known.pages));
  }

  async find(canvas: string, manifest: string): Promise<Place | undefined> {
    const own = ownPath(canvas);
    if (own !== undefined) {
      const facts = await fetchImageFacts(own);
      return { path: own, size: facts.ok ? facts.value : undefined, place: wholeImage };
    }
    const address = manifest || [...this.#manifests.keys()][0] || '';
    const page = (await this.#pagesOf(address)).find(({ id, canvasId }) => canvasId === canvas || id === canvas);
    return page && { path: foreignPath({ manifest: address, canvas: page.id }), size: page.canvas, place: page.place };
  }

  #pagesOf(address: string): Promise<readonly ManifestPage[]> {
    const known = this.#manifests.get(address);
    if (known !== undefined) return known;
    if (address === '' || this.#manifests.size >= maxRequests) return Promise.resolve([]);
    const loading = fetchForeignJson(address, this.#signal).then((answer) => {
      const read = readManifest(answer.ok ? answer.value : undefined);
      return read.kind === 'book' ? read.book.pages : [];
    });
    this.#manifests.set(address, loading);
    return loading;
  }
}

/** The view that this reading room wrote into the annotation itself, which has more than a part. */
function ownView({ via }: AnnotatedStep): Pick<TourStep, 'page' | 'view'> | undefined {
  const base = baseAddress();
  if (!via.startsWith(`${base}view/`)) return undefined;
  const [path = '', query = ''] = via.slice(base.length).split('#', 1)[0]?.split('?') ?? [];
  const route = parseRoute({ path, query, fragment: '' });
  return route.kind === 'view' && route.state.fn !== ''
    ? { page: route.state.fn, view: formatStepView(route.state) }
    : undefined;
}

async function stepOf(read: AnnotatedStep, canvases: Canvases): Promise<TourStep | undefined> {
  const { title, text, annotation, canvas, manifest } = read;
  const own = ownView(read);
  if (own !== undefined) return { ...own, title, text };
  const found = await canvases.find(canvas, manifest);
  if (found === undefined) return undefined;
  const { path: page, size, place } = found;
  const [shown] = size === undefined ? [] : readAnnotations([annotation], { id: undefined, size, place });
  return { page, view: shown?.bounds ? formatPairs(formatRegion(shown.bounds, 'fit')) : '', title, text };
}

async function tourOf(json: unknown, read: readonly AnnotatedStep[], canvases: Canvases): Promise<Tour | undefined> {
  const steps: TourStep[] = [];
  for (const one of read.slice(0, tourLimits.steps)) {
    const step = await stepOf(one, canvases);
    if (step !== undefined) steps.push(step);
  }
  if (steps.length === 0) return undefined;
  return { title: textsOf(memberOf(json, 'label')), summary: textsOf(memberOf(json, 'summary')), steps };
}

/** The annotations of a manifest in their order: those about all of it, or else those of its canvases. */
async function annotationsIn(
  json: unknown,
  pages: readonly ManifestPage[],
  signal?: AbortSignal,
): Promise<readonly AnnotatedStep[]> {
  const ofAll = itemsOf(memberOf(json, 'annotations'), 20).map((one): AnnotationSource => {
    const isWhole = isObject(one) && firstOf(one, 'items') !== undefined;
    return isWhole ? one : idOf(one);
  });
  let requests = 0;
  const readAll = async (sources: readonly AnnotationSource[]): Promise<readonly AnnotatedStep[]> => {
    const queue = [...sources];
    const found: AnnotatedStep[] = [];
    while (queue.length > 0 && requests < maxRequests && found.length < tourLimits.steps) {
      const source = queue.shift();
      if (source === undefined) break;
      if (typeof source === 'string') requests += 1;
      const answer =
        typeof source === 'string' ? await fetchForeignJson(source, signal) : { ok: true as const, value: source };
      if (!answer.ok) continue;
      found.push(...annotatedSteps(answer.value));
      const next = nextPageOf(answer.value);
      if (next !== undefined) queue.unshift(next);
    }
    return found;
  };
  const whole = await readAll(ofAll);
  if (whole.length > 0) return whole;
  const found: AnnotatedStep[] = [];
  for (const { annotations, canvasId } of pages)
    for (const step of annotations.length === 0 ? [] : await readAll(annotations))
      found.push(step.canvas === '' ? { ...step, canvas: canvasId } : step);
  return found;
}

/** The address of the only page of a collection that does not contain it. */
function pageAddressOf(json: unknown): string | undefined {
  const first = memberOf(json, 'first');
  return typeOf(json) === 'AnnotationCollection' && typeof first === 'string' ? first : undefined;
}

/** Guided views in any JSON that has some: a file of guided views, annotations, or a manifest with annotations. */
export async function tourIn(json: unknown, address = '', signal?: AbortSignal): Promise<Tour | undefined> {
  const own = parseTour(json);
  if (own !== undefined) return own;
  const manifest = readManifest(json);
  if (manifest.kind === 'book') {
    const { pages, label } = manifest.book;
    const id = address || idOf(json);
    const canvases = new Canvases(signal, { address: id, pages });
    const tour = await tourOf(json, await annotationsIn(json, pages, signal), canvases);
    return tour && { ...tour, title: label, summary: {} };
  }
  const page = pageAddressOf(json);
  const inside = page === undefined ? undefined : await fetchForeignJson(page, signal);
  const steps = annotatedSteps(inside === undefined ? json : inside.ok ? inside.value : undefined);
  return tourOf(json, steps, new Canvases(signal));
}

export async function tourAt(address: string, signal?: AbortSignal): Promise<FoundTour> {
  const answer = await fetchForeignJson(address, signal);
  if (!answer.ok) return answer;
  const tour = await tourIn(answer.value, address, signal);
  return tour === undefined ? { ok: false, problem: 'none' } : { ok: true, tour };
}

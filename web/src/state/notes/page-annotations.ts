/** The canvas of the open image for other programs, and the annotations on it: loaded while their panel is open. */

import { computed, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { keyOfPage, presentationAddresses } from '../../../../src/core/image/addresses/iiif-addresses.ts';
import { type LanguageMap, textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import { nameMatcher } from '../../../../src/core/image/folder/page-labels.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Answer, fetchJson, type Problem } from '../../data/fetch.ts';
import { fetchForeignJson, fetchForeignText } from '../../data/foreign-hosts.ts';
import { foreignImage } from '../../data/images.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { parseForeignPath } from '../../model/address/address-text.ts';
import { type AnnotationSource, groupOf } from '../../model/manifest/annotation-sources.ts';
import {
  type AnnotatedCanvas,
  type AnnotationFilter,
  filtered,
  maxAnnotations,
  nextPageOf,
  readAnnotations,
  type ShownAnnotation,
  stylesOf,
} from '../../model/notes/canvas-annotations.ts';
import { partOnCanvas } from '../../model/view/geometry.ts';
import { type Rect, wholeImage } from '../../model/view-state.ts';
import { shownLayers } from '../layers.ts';
import { facts, followRequests, type Opened, openedNow } from '../opened.ts';
import { readerLanguages } from '../reader-languages.ts';

export interface CanvasAddress {
  readonly manifest: string;
  readonly canvas: string;
  /** In units of the canvas. */
  readonly size: Size;
  /** The place of the image on the canvas, in fractions of the canvas. */
  readonly place: Rect;
}

/** The address of the manifest that the open image is in. */
export function manifestAddress({ path, folder }: Opened): string {
  const base = `${baseAddress()}presentation/3`;
  return foreignImage(path)?.manifest ?? presentationAddresses(base, folder.path, pageSettings.iiifSlash).manifest;
}

/** `image` is the size of the image in pixels, which are the units of canvases of this library. */
export function canvasAddress(opened: Opened, image: Size): CanvasAddress {
  const { path, folder, card, inner } = opened;
  const manifest = manifestAddress(opened);
  const foreign = foreignImage(path)?.page;
  if (foreign !== undefined)
    return { manifest, canvas: foreign.canvasId, size: foreign.canvas ?? image, place: foreign.place };
  const { part } = presentationAddresses(`${baseAddress()}presentation/3`, folder.path, pageSettings.iiifSlash);
  return { manifest, canvas: part('canvas', keyOfPage(card.name, inner)), size: image, place: wholeImage };
}

/** The address of the annotations of an image of this library, relative to the base. */
const ownAnnotations = ({ folder, card, inner }: Opened): string =>
  presentationAddresses('presentation/3', folder.path, pageSettings.iiifSlash).part(
    'annotations',
    keyOfPage(card.name, inner),
  );

/** A part of the image in fractions of its canvas. */
export const onCanvas = (region: Rect, { place }: CanvasAddress): Rect => partOnCanvas(region, place);

/** Pages of annotations that are requested for one page of a book, with those that follow them. */
const maxRequests = 60;

interface LoadedAnnotations {
  readonly list: readonly ShownAnnotation[];
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
}

const nothing: LoadedAnnotations = { list: [], isLoading: false, problem: undefined };

const loaded = signal<LoadedAnnotations>(nothing);
/** Those of a single layer are there while it is seen. */
export const annotations: ReadonlySignal<LoadedAnnotations> = computed(() => {
  const seen = new Set(shownLayers.value.map(({ number }) => number));
  const { list, ...rest } = loaded.value;
  return { ...rest, list: list.filter(({ layer }) => layer === undefined || seen.has(layer)) };
});

export const filter = signal<AnnotationFilter>({ words: '', kind: '' });
/** The annotation that is chosen in the list or on the image. */
export const chosen = signal<ShownAnnotation | undefined>(undefined);

/** Those that the filter leaves. */
export const shownAnnotations: ReadonlySignal<readonly ShownAnnotation[]> = computed(() =>
  filtered(annotations.value.list, filter.value, nameMatcher),
);

/** Pages of annotations about one canvas, or one image on it. */
interface AnnotatedPart {
  readonly canvas: AnnotatedCanvas;
  readonly sources: readonly AnnotationSource[];
  readonly layer: number | undefined;
  /** The labels of the collections of the pages, by their addresses. */
  readonly groups: ReadonlyMap<string, LanguageMap>;
}

interface AnnotatedPage {
  readonly parts: readonly AnnotatedPart[];
  readonly load: (address: string, signal: AbortSignal) => Promise<Answer<unknown>>;
}

/** The size of the open image of this library, in pixels; undefined while it is not known. */
function ownSize({ card: { width, height }, inner }: Opened): Size | undefined {
  if (inner > 1) return facts.value;
  return width === null || height === null ? undefined : { width, height };
}

/** The canvas of the open image, with its pages of annotations; undefined where it has none. */
function annotatedPage(opened: Opened): AnnotatedPage | undefined {
  const page = foreignImage(opened.path)?.page;
  if (page !== undefined) {
    const { canvasId: id, canvas: size, place, annotations: sources, groups } = page;
    const isOther = (address: string): boolean =>
      opened.folder.images.some(({ path }) => parseForeignPath(path)?.canvas === address);
    const whole =
      size === undefined ? [] : [{ canvas: { id, size, place, isOther }, sources, layer: undefined, groups }];
    const ofImages = page.imageAnnotations.map(({ size, place, sources, layer }) => ({
      canvas: { id: undefined, size, place },
      ...{ sources, layer, groups },
    }));
    return { parts: [...whole, ...ofImages], load: fetchForeignJson };
  }
  const size = ownSize(opened);
  if (size === undefined || !opened.card.annotated.includes(opened.inner)) return undefined;
  const address = ownAnnotations(opened);
  const canvas = { id: undefined, size, place: wholeImage };
  return { parts: [{ canvas, sources: [address], layer: undefined, groups: new Map() }], load: fetchJson };
}

/** The most style sheets that are loaded for a page. */
const maxStyles = 4;

/** The style sheets of annotations that are allowed to be loaded, by their addresses. */
async function loadStyles(json: unknown, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const sheets = await Promise.all(
    stylesOf(json)
      .slice(0, maxStyles)
      .map(async (address) => [address, await fetchForeignText(address, signal)] as const),
  );
  return new Map(sheets.flatMap(([address, answer]) => (answer.ok ? [[address, answer.value] as const] : [])));
}

const shownText = (text: LanguageMap, languages: readonly string[]): string => textFor(text, languages).join(' ');

async function loadAll({ parts, load }: AnnotatedPage, signal: AbortSignal): Promise<void> {
  const queue = parts.flatMap((part) => part.sources.map((source) => ({ source, part })));
  const languages = untracked(readerLanguages);
  let list: readonly ShownAnnotation[] = [];
  let problem: Problem | undefined;
  loaded.value = { list, isLoading: true, problem };
  for (let requests = 0; queue.length > 0 && requests < maxRequests && list.length < maxAnnotations; requests += 1) {
    const [next] = queue.splice(0, 1);
    if (next === undefined) break;
    const { source, part } = next;
    const answer = typeof source === 'string' ? await load(source, signal) : { ok: true as const, value: source };
    const styles = answer.ok ? await loadStyles(answer.value, signal) : new Map<string, string>();
    if (signal.aborted) return;
    if (answer.ok) {
      const named = typeof source === 'string' ? part.groups.get(source) : undefined;
      const context = {
        languages,
        styles,
        layer: part.layer,
        group: shownText(named ?? groupOf(answer.value), languages),
      };
      list = [...list, ...readAnnotations(answer.value, part.canvas, context)];
      const following = nextPageOf(answer.value);
      if (following !== undefined) queue.unshift({ source: following, part });
    } else problem = answer.problem;
    loaded.value = { list, isLoading: queue.length > 0, problem };
  }
  loaded.value = { list, isLoading: false, problem };
}

/** Follows the open page; returns the function that ends it. */
export function followAnnotations(): () => void {
  const openPage = computed(() => {
    const opened = openedNow();
    return opened && `${opened.path} ${JSON.stringify(ownSize(opened))}`;
  });
  const reset = (): void => {
    loaded.value = nothing;
    chosen.value = undefined;
  };
  return followRequests((signal) => {
    const isOpen = openPage.value !== undefined;
    untracked(() => {
      reset();
      const opened = isOpen ? openedNow() : undefined;
      const page = opened && annotatedPage(opened);
      if (page !== undefined) void loadAll(page, signal);
    });
  }, reset);
}

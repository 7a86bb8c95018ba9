/** The annotations of the open page, as its manifest names them: loaded while their panel is open. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { nameMatcher } from '../../../src/image/folder/name-match.ts';
import type { Problem } from '../data/fetch.ts';
import { fetchForeignJson } from '../data/fetch-foreign.ts';
import { foreignImage } from '../data/foreign-images.ts';
import {
  type AnnotatedCanvas,
  type AnnotationFilter,
  filtered,
  maxAnnotations,
  nextPageOf,
  readAnnotations,
  type ShownAnnotation,
} from '../model/manifest/annotations.ts';
import { openedNow } from './opened.ts';

/** Pages of annotations that are requested for one page of a book, with those that follow them. */
const maxRequests = 60;

export interface LoadedAnnotations {
  readonly list: readonly ShownAnnotation[];
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
}

const nothing: LoadedAnnotations = { list: [], isLoading: false, problem: undefined };

const loaded = signal<LoadedAnnotations>(nothing);
export const annotations: ReadonlySignal<LoadedAnnotations> = loaded;

export const filter = signal<AnnotationFilter>({ words: '', kind: '' });
/** The annotation that is chosen in the list or on the image. */
export const chosen = signal<ShownAnnotation | undefined>(undefined);

/** Those that the filter leaves. */
export const shownAnnotations: ReadonlySignal<readonly ShownAnnotation[]> = computed(() =>
  filtered(loaded.value.list, filter.value, nameMatcher),
);

async function load(path: string, signal: AbortSignal): Promise<void> {
  const page = foreignImage(path)?.page;
  const size = page?.canvas;
  if (page === undefined || size === undefined) return;
  const canvas: AnnotatedCanvas = { id: page.id, size, place: page.place };
  const queue = [...page.annotations];
  let list: readonly ShownAnnotation[] = [];
  let problem: Problem | undefined;
  loaded.value = { list, isLoading: true, problem };
  for (let requests = 0; queue.length > 0 && requests < maxRequests && list.length < maxAnnotations; requests += 1) {
    const source = queue.shift();
    if (source === undefined) break;
    const answer =
      typeof source === 'string' ? await fetchForeignJson(source, signal) : { ok: true as const, value: source };
    if (signal.aborted) return;
    if (answer.ok) {
      list = [...list, ...readAnnotations(answer.value, canvas)];
      const next = nextPageOf(answer.value);
      if (next !== undefined) queue.unshift(next);
    } else problem = answer.problem;
    loaded.value = { list, isLoading: queue.length > 0, problem };
  }
  loaded.value = { list, isLoading: false, problem };
}

/** Follows the open page; returns the function that ends it. */
export function followAnnotations(): () => void {
  let request: AbortController | undefined;
  const path = computed(() => openedNow()?.path);
  const end = effect(() => {
    const now = path.value;
    request?.abort();
    request = new AbortController();
    chosen.value = undefined;
    loaded.value = nothing;
    if (now !== undefined) void load(now, request.signal);
  });
  return () => {
    end();
    request?.abort();
    loaded.value = nothing;
    chosen.value = undefined;
  };
}

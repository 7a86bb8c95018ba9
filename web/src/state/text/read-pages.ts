/** The texts of a book's pages one after the other, from the open page on, as they are wanted. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { joinPage } from '../../../../src/core/image/model/identifier.ts';
import type { PageText } from '../../model/text/page-text.ts';
import type { Opened } from '../opened.ts';
import { bookUnits, unitIndex } from '../pages.ts';
import { view } from '../view.ts';
import { loadTexts } from './load-texts.ts';

export interface ReadPage {
  readonly path: string;
  readonly label: string;
  /** Undefined where the page has none, or none that can be read. */
  readonly text: PageText | undefined;
}

/** A page, or the pages of an opening. */
interface ReadUnit {
  /** Its index in the book. */
  readonly unit: number;
  readonly pages: readonly ReadPage[];
}

async function loadUnit(opened: Opened, unit: number, signal: AbortSignal): Promise<ReadUnit> {
  const steps = bookUnits.peek()[unit] ?? [];
  const pages = await Promise.all(
    steps.map(async ({ at, inner }): Promise<readonly ReadPage[]> => {
      const card = await opened.images.find(at);
      if (card === undefined) return [];
      const path = joinPage(card.path, inner);
      const label = card.pages > 1 ? `${card.label} (${inner})` : card.label;
      const answer = card.hasText ? await loadTexts(path, view.peek().texts, signal) : undefined;
      return [{ path, label, text: answer?.ok ? answer.value.text : undefined }];
    }),
  );
  return { unit, pages: pages.flat() };
}

interface ReadPages {
  readonly units: readonly ReadUnit[];
  readonly isLoading: boolean;
  /** Shows a unit of the book alone, in place of what is shown. */
  readonly begin: (unit: number) => void;
  /** Adds the unit before; `prepare` is called right before it is shown. */
  readonly addBefore: (prepare: () => void) => Promise<void>;
  readonly addAfter: () => void;
}

/** The units that are shown. Another choice of the text, or of openings, begins anew at the open page. */
export function useReadPages(opened: Opened): ReadPages {
  const units = useSignal<readonly ReadUnit[]>([]);
  const isLoading = useSignal(false);
  const request = useRef(new AbortController());
  const load = async (unit: number): Promise<ReadUnit | undefined> => {
    const { signal } = request.current;
    isLoading.value = true;
    const loaded = await loadUnit(opened, unit, signal);
    if (signal.aborted) return undefined;
    isLoading.value = false;
    return loaded;
  };
  const begin = (unit: number): void => {
    request.current.abort();
    request.current = new AbortController();
    units.value = [];
    void load(unit).then((loaded) => {
      if (loaded) units.value = [loaded];
    });
  };
  const add = async (by: 1 | -1, prepare: () => void): Promise<void> => {
    const edge = by > 0 ? units.peek().at(-1) : units.peek()[0];
    const unit = edge && edge.unit + by;
    if (unit === undefined || isLoading.peek() || bookUnits.peek()[unit] === undefined) return;
    const loaded = await load(unit);
    if (loaded === undefined) return;
    prepare();
    units.value = by > 0 ? [...units.peek(), loaded] : [loaded, ...units.peek()];
  };
  const kind = `${view.value.texts.join()} ${bookUnits.value.length}`;
  useEffect(() => {
    begin(unitIndex.peek());
    return () => request.current.abort();
  }, [kind]);
  return {
    units: units.value,
    isLoading: isLoading.value,
    begin,
    addBefore: (prepare) => add(-1, prepare),
    addAfter: () => void add(1, () => undefined),
  };
}

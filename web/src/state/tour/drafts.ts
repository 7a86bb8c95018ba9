/** The guided views that the reader makes, in the browser's own storage. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Tour } from '../../../../src/core/image/tour/tour.ts';
import { type Draft, emptyTour, languagesOf, noLanguage, readDrafts, storedDrafts } from '../../model/tour/draft.ts';
import { formatStepView } from '../../model/tour/step-view.ts';
import { onStoredChange, readStored, store } from '../stored-preferences.ts';
import { flushViewport, view } from '../view.ts';
import { namedView } from '../viewport.ts';

/** Among the names of the desk, so that its backup has them. */
const name = 'desk:tours';

const all = signal<readonly Draft[]>(readDrafts(readStored(name)));

onStoredChange((changed, value) => {
  if (changed === name) all.value = readDrafts(value);
});

export const drafts: ReadonlySignal<readonly Draft[]> = all;

/** Whether the browser refused to store the last change. */
export const isUnstored = signal(false);

const chosenId = signal<string | undefined>(undefined);

/** The one that is edited: the last one that was chosen or made. */
export const draft: ReadonlySignal<Draft | undefined> = computed(
  () => all.value.find(({ id }) => id === chosenId.value) ?? all.value[0],
);

/** The language in which texts are edited, until the reader chooses one. */
const chosenLanguage = signal<string | undefined>(undefined);

export const editedLanguage: ReadonlySignal<string> = computed(() => {
  const used = languagesOf(draft.value?.tour ?? emptyTour);
  return chosenLanguage.value ?? (used.includes(noLanguage) ? noLanguage : used[0]) ?? noLanguage;
});

export const editLanguage = (language: string): void => {
  chosenLanguage.value = language;
};

export function chooseDraft(id: string): void {
  chosenId.value = id;
  chosenLanguage.value = undefined;
}

/** Other windows may have changed other drafts meanwhile. */
function change(by: (before: readonly Draft[]) => readonly Draft[]): void {
  const after = by(readDrafts(readStored(name) ?? storedDrafts(all.peek())));
  isUnstored.value = !store(name, after.length === 0 ? undefined : storedDrafts(after));
  all.value = after;
}

const newId = (): string => Date.now().toString(36) + Math.random().toString(36).slice(2, 6);

export function addDraft(tour: Tour = emptyTour): void {
  const id = newId();
  change((before) => [{ id, tour }, ...before]);
  chooseDraft(id);
}

export function removeDraft(id: string): void {
  change((before) => before.filter((one) => one.id !== id));
  chosenLanguage.value = undefined;
}

/** Changes the one that is edited, which is made where there is none yet. */
export function changeTour(by: (before: Tour) => Tour): void {
  const now = draft.peek();
  if (now === undefined) addDraft(by(emptyTour));
  else change((before) => before.map((one) => (one.id === now.id ? { ...one, tour: by(one.tour) } : one)));
}

/** The page and the view that are seen, as a step has them. */
export function viewNow(): { readonly page: string; readonly view: string } {
  flushViewport();
  const now = { ...namedView.peek(), twoPages: view.peek().twoPages };
  return { page: now.fn, view: formatStepView(now) };
}

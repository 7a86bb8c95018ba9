/** What of the page's text is selected on the image. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Caret, copiedText, partsBetween, type WordPart } from '../model/copied-text.ts';
import { pageTexts, type TextPage } from './page-texts.ts';

export interface TextSelection {
  /** The path of the page. */
  readonly path: string;
  /** Where the selection began, and where it ends; in either order. */
  readonly from: Caret;
  readonly to: Caret;
}

export const textSelection = signal<TextSelection | undefined>(undefined);

/** The selected words with their page; undefined where nothing is selected. */
export const selectedParts: ReadonlySignal<
  { readonly page: TextPage; readonly parts: readonly WordPart[] } | undefined
> = computed(() => {
  const selected = textSelection.value;
  const page = selected && pageTexts.value.pages.find(({ path }) => path === selected.path);
  if (selected === undefined || page === undefined) return undefined;
  const parts = partsBetween(page.text, selected.from, selected.to);
  return parts.length === 0 ? undefined : { page, parts };
});

/** The selected text as it is copied; empty for none. */
export const selectedText = (): string => {
  const now = selectedParts.peek();
  return now === undefined ? '' : copiedText(now.page.text, now.parts);
};

/** Selects words, by their indices: the first and the last of them. */
export function selectWords({ path, text }: TextPage, from: number, to: number): void {
  const end = text.words[to]?.text.length ?? 0;
  textSelection.value = { path, from: { word: from, offset: 0 }, to: { word: to, offset: end } };
}

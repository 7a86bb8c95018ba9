/** The words of a drawn region: as the text of its note, or before the citation. */
import { Quote, ScanText } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { copiedText, wholeWords, wordsWithin } from '../../model/text/page-text.ts';
import { boxInPixels } from '../../model/view/geometry.ts';
import type { Rect } from '../../model/view-state.ts';
import { notes, selected } from '../../state/notes/notes.ts';
import { describe } from '../../state/notes/sketch.ts';
import { type Opened, openedNow } from '../../state/opened.ts';
import { pageTexts, selectedParts, textOfParts } from '../../state/text/page-texts.ts';
import { Button } from '../common/button.tsx';
import { quoteInCitation } from '../common/citations.ts';

/** The words in a rectangle of the main page, in its fractions; empty where there are none. */
function wordsInside(rectangle: Rect): string {
  const page = pageTexts.value.pages.find(({ path }) => path === openedNow()?.path);
  if (page === undefined) return '';
  const { text } = page;
  return copiedText(text, wholeWords(text, wordsWithin(text, boxInPixels(rectangle, text))));
}

interface RegionTextProps {
  /** The index of the region. */
  readonly at: number;
  readonly name: string;
  /** The text that its note has. */
  readonly text: string | undefined;
}

/** Puts the words of a region into its note, after what the reader has written there. */
export function RegionText({ at, name, text = '' }: RegionTextProps): VNode | null {
  const rectangle = notes.value.rectangles[at];
  const words = rectangle === undefined ? '' : wordsInside(rectangle);
  if (words === '' || text.includes(words)) return null;
  const take = (): void => {
    describe({ kind: 'rectangle', at }, text === '' ? words : `${text}\n${words}`);
  };
  return (
    <p class="region-text">
      <Button icon={ScanText} onClick={take}>
        {message('text-of-region')}
        <span class="off-screen">{` (${name})`}</span>
      </Button>
    </p>
  );
}

/** What is quoted: the selected words, else those of the selected region, else of the only one. */
function quotable(): string {
  const now = selectedParts.value;
  if (now.length > 0) return textOfParts(now);
  const { rectangles } = notes.value;
  const at = selected.value?.kind === 'rectangle' ? selected.value.at : rectangles.length === 1 ? 0 : undefined;
  const rectangle = at === undefined ? undefined : rectangles[at];
  return rectangle === undefined ? '' : wordsInside(rectangle);
}

/** Puts the selected words, or those of a region, before the citation. */
export function QuoteButton({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode | null {
  const words = quotable();
  if (words === '') return null;
  return (
    <Button icon={Quote} onClick={() => quoteInCitation(opened, address, words)}>
      {message('quote-words')}
    </Button>
  );
}

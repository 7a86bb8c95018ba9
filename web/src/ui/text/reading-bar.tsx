/** The bar below the text alone: the size of the letters, the voice, which text, and copying with the source. */
import { AArrowDown, AArrowUp, Image } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { wholeText } from '../../model/text/page-text.ts';
import { openedNow } from '../../state/opened.ts';
import { storedSignal } from '../../state/stored-preferences.ts';
import { letters, stepLetters } from '../../state/text/letters.ts';
import type { ReadPage } from '../../state/text/read-pages.ts';
import { changeView } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { wordsWithSource } from '../common/citations.ts';
import { CheckBox } from '../common/fields.tsx';
import { CopyButton } from '../common/take-along.tsx';
import { formatPercent } from '../common/words.ts';
import { TextChoices } from './text-panel.tsx';
import { VoiceButtons } from './text-tools.tsx';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Whether the lines end where those of the page do, as in verse. */
export const keepsLines = storedSignal<boolean>('keeps-lines', false, isBoolean);

/** The selected words, else all of the open page, with a citation of the page where they begin. */
function textWithSource(pages: readonly ReadPage[]): string {
  const opened = openedNow();
  const selection = getSelection();
  const start = selection?.rangeCount ? selection.getRangeAt(0).startContainer : undefined;
  const element = start instanceof Element ? start : start?.parentElement;
  const path = element?.closest<HTMLElement>('.reading-page')?.dataset['textOf'];
  const selected = path === undefined ? '' : (selection?.toString().trim() ?? '');
  const page = pages.find((one) => one.path === (selected === '' ? opened?.path : path));
  if (opened === undefined || page === undefined) return selected;
  const text = selected === '' && page.text ? wholeText(page.text) : selected;
  return wordsWithSource(opened, text, { path: page.path, label: page.label, box: undefined });
}

interface ReadingBarProps {
  readonly pages: readonly ReadPage[];
  /** Whether there is something to read aloud. */
  readonly isReadable: boolean;
}

export const ReadingBar = ({ pages, isReadable }: ReadingBarProps): VNode => (
  <div class="reading-bar floating row wrap">
    <IconButton icon={AArrowDown} name={message('letters-smaller')} shortcut="-" onClick={() => stepLetters(-1)} />
    <span class="zoom-percent muted tabular">{formatPercent(letters.value / 100)}</span>
    <IconButton icon={AArrowUp} name={message('letters-larger')} shortcut="+" onClick={() => stepLetters(1)} />
    {isReadable && <VoiceButtons />}
    <TextChoices withBeside={false} />
    <CheckBox chosen={keepsLines} text={message('text-alone-lines')} />
    <CopyButton
      text={() => textWithSource(pages)}
      name={message('copy-with-source')}
      label={message('copy-with-source')}
    />
    <IconButton
      icon={Image}
      name={message('text-alone-close')}
      shortcut="Escape"
      onClick={() => changeView({ layout: 'page' })}
    />
  </div>
);

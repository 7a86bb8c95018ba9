/** The field that shows the number of the open page, and takes the number or the label of another. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { fetchFolder } from '../../data/fetch.ts';
import { language, message } from '../../messages/message.ts';
import { isForeign } from '../../model/address/foreign-path.ts';
import { goToPage, type Opened, openedNow } from '../../state/opened.ts';
import { visiblePages } from '../../state/pages.ts';
import { focusStage } from '../../state/stages.ts';
import { useOwnText } from '../common/elements.ts';
import { formatCount } from '../common/words.ts';

const isNumber = (typed: string): boolean => /^[0-9]+$/.test(typed);

/** Positions as they are written: `2–3`, or `2, 4` around a page that stands alone. */
const writtenPages = ([first = 1, second = first]: readonly number[]): string =>
  second === first ? String(first) : `${first}${second === first + 1 ? '–' : ', '}${second}`;

/** The position that a typed text means: a number is a position, anything else the label of a page. */
async function positionOf(typed: string, { images }: Opened): Promise<number | 'none' | 'unknown'> {
  const number = isNumber(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= images.total) return number;
  if (isForeign(images.path)) return images.labelled(typed) ?? 'none';
  const answer = await fetchFolder(images.path, language.peek(), { label: typed, count: 1 });
  if (!answer.ok) return 'unknown';
  return answer.value.at ?? 'none';
}

function errorFor(typed: string, { images }: Opened): string {
  if (isNumber(typed)) return message('no-page', { number: typed, total: images.total });
  return message('no-page-called', { label: typed });
}

export function PageField(): VNode | null {
  const error = useSignal('');
  const opened = openedNow();
  const text = opened === undefined ? '' : writtenPages(visiblePages(opened));
  const own = useOwnText<HTMLInputElement>(text);
  // What was typed before the page was turned, or what was left with Escape, must not stand for the page that is shown.
  const reset = (): void => {
    error.value = '';
    if (own.ref.current !== null) own.ref.current.value = text;
  };
  // Within the task of the rendering: a later effect would undo what was typed before it ran.
  useLayoutEffect(reset, [opened, text]);
  if (opened === undefined) return null;
  const go = async (typed: string): Promise<void> => {
    const at = typed === '' ? opened.at : await positionOf(typed, opened);
    if (openedNow() !== opened) return;
    if (at === 'unknown') error.value = message('problem-unreachable');
    else if (at === 'none') error.value = errorFor(typed, opened);
    else if (at !== opened.at) void goToPage({ at, inner: 1 });
    else reset();
  };
  return (
    <span class="page-number muted tabular">
      <input
        {...own}
        id="page-number"
        type="text"
        autocomplete="off"
        enterKeyHint="go"
        aria-label={message('go-to-page')}
        aria-describedby="page-fault"
        aria-invalid={error.value !== ''}
        title={`${message('go-to-page-how')} (G)`}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={() => {
          error.value = '';
        }}
        onChange={({ currentTarget }) => void go(currentTarget.value.trim())}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          reset();
          focusStage();
        }}
      />
      <span>{message('of-pages', { total: formatCount(opened.images.total) })}</span>
      <span id="page-fault" class="page-fault" role="status">
        {error.value}
      </span>
    </span>
  );
}

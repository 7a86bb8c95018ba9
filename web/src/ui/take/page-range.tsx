/** Pages that a reader types, such as `3r–7v`: printed, or taken along as a PDF, as pictures or as a text. */
import { useSignal } from '@preact/signals';
import { Printer } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { findTypedPages, type TypedPages } from '../../../../src/core/image/folder/page-ranges.ts';
import { fetchFolder } from '../../data/fetch.ts';
import { countedMessage, language, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { Button } from '../common/button.tsx';
import { TakeLink } from '../common/take-along.tsx';

export interface PageRangeProps {
  /** The path of the folder. */
  readonly folder: string;
  /** How many pages it has. */
  readonly total: number;
  /** What it offers beside the printer. */
  readonly offers: { readonly documents: boolean; readonly texts: boolean };
}

/** The server is asked for labels: it knows those of all pages. */
async function positionOfLabel(folder: string, label: string, signal: AbortSignal): Promise<number | undefined> {
  const answer = await fetchFolder(folder, language.peek(), { label, count: 1 }, signal);
  if (!answer.ok) throw new Error(answer.problem);
  return answer.value.at ?? undefined;
}

type Found = TypedPages | 'nothing' | 'unreachable';

/** Delay after the last letter until the pages are looked for, in ms. */
const pauseMs = 300;

/** The pages that a text means, a moment after it was typed. */
function useTypedPages(typed: string, { folder, total }: PageRangeProps): Found {
  const found = useSignal<Found>('nothing');
  useEffect(() => {
    const ending = new AbortController();
    const show = (now: Found): void => {
      if (!ending.signal.aborted) found.value = now;
    };
    const find = (): void => {
      findTypedPages(typed, total, (label) => positionOfLabel(folder, label, ending.signal)).then(show, () =>
        show('unreachable'),
      );
    };
    // What was found of another text must not be taken along.
    found.value = 'nothing';
    const timer = typed.trim() === '' ? undefined : setTimeout(find, pauseMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [typed, folder, total]);
  return found.value;
}

function stateText(found: Found): string {
  if (found === 'nothing') return '';
  if (found === 'unreachable') return message('problem-unreachable');
  if ('unknown' in found) return message('range-unknown', { part: found.unknown });
  return countedMessage('range-pages', found.positions.length);
}

const print = (folder: string, at: readonly number[], typed: string): void =>
  void import('../print/contact-sheet.tsx').then(({ printFolder }) => printFolder(folder, { at, typed }));

/** All buttons carry the range in their names. */
function Takers({ folder, offers, at, typed }: PageRangeProps & { at: readonly number[]; typed: string }): VNode {
  const name = (form: string): string => message('range-as', { form, pages: typed });
  return (
    <div class="downloads">
      {offers.documents && <TakeLink form="pdf" folder={folder} at={at} name={name('PDF')} />}
      {offers.documents && <TakeLink form="zip" folder={folder} at={at} name={name('ZIP')} />}
      {offers.texts && <TakeLink form="txt" folder={folder} at={at} name={name(message('range-text'))} />}
      <Button icon={Printer} onClick={() => print(folder, at, typed)}>
        {name(message('print'))}
      </Button>
    </div>
  );
}

export function PageRange(props: PageRangeProps): VNode {
  const id = useId();
  const typed = useSignal('');
  const found = useTypedPages(typed.value, props);
  const isFault = found === 'unreachable' || (found !== 'nothing' && 'unknown' in found);
  const at = typeof found === 'object' && 'positions' in found ? found.positions : undefined;
  return (
    <div class="page-range">
      <div class="field">
        <label for={id}>{message('range-field')}</label>
        <input
          id={id}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="3r–7v, 12"
          aria-describedby={`${id}-state`}
          aria-invalid={isFault}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      </div>
      <p id={`${id}-state`} class={isFault ? 'page-range-fault' : 'soft'} role="status">
        {stateText(found)}
      </p>
      {at && <Takers {...props} at={at} typed={typed.value.trim()} />}
    </div>
  );
}

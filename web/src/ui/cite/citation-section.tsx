/** The citation of the view, which the reader can change before it is copied. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { language, message } from '../../messages/message.ts';
import { citationText } from '../../model/citation.ts';
import type { Opened } from '../../state/opened.ts';
import { CopyButton } from '../copy.tsx';

const today = (): string => new Intl.DateTimeFormat(language.value, { dateStyle: 'long' }).format(new Date());

export function CitationSection({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode {
  const edited = useSignal<string | undefined>(undefined);
  const id = useId();
  const { folder, card } = opened;
  const seen = message('citation-seen', { date: today() });
  const proposed = citationText({ title: folder.title, label: card.label, address, seen });
  // What was changed belongs to the view that it cites.
  useEffect(() => {
    edited.value = undefined;
  }, [proposed]);
  const text = edited.value ?? proposed;
  return (
    <section class="panel-section">
      <h3>{message('citation')}</h3>
      <label class="off-screen" for={id}>
        {message('citation-edit')}
      </label>
      <textarea
        id={id}
        class="citation"
        rows={5}
        value={text}
        onInput={({ currentTarget }) => {
          edited.value = currentTarget.value;
        }}
      />
      <CopyButton text={() => text} name={message('copy-citation')} />
    </section>
  );
}

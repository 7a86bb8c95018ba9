/** The citation of the view, which the reader can edit before it is copied. */
import { signal } from '@preact/signals';
import { RotateCcw } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { language, message } from '../../messages/message.ts';
import { citationText, type EditedText, replaceAddress, signatureIn } from '../../model/citation.ts';
import type { Opened } from '../../state/opened.ts';
import { Button } from '../common/button.tsx';
import { CopyButton } from '../common/copy.tsx';

/** Edited citations by the path of the image; they remain while the view or the page changes. */
const edits = signal<ReadonlyMap<string, EditedText>>(new Map());

const today = (): string => new Intl.DateTimeFormat(language.value, { dateStyle: 'long' }).format(new Date());

function defaultCitation({ folder, card }: Opened, address: string): string {
  const accessed = message('citation-accessed', { date: today() });
  const signature = signatureIn(folder.metadata);
  const holder = folder.attribution.join(', ');
  return citationText({ holder, title: folder.title, signature, label: card.label, address, accessed });
}

function resetCitation(path: string): void {
  const others = new Map(edits.peek());
  others.delete(path);
  edits.value = others;
}

export function CitationSection({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode {
  const id = useId();
  const { path } = opened;
  const edited = edits.value.get(path);
  const text = edited === undefined ? defaultCitation(opened, address) : replaceAddress(edited, address);
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
          edits.value = new Map(edits.peek()).set(path, { text: currentTarget.value, address });
        }}
      />
      <div class="button-row">
        <CopyButton text={() => text} name={message('copy-citation')} />
        {edited !== undefined && (
          <Button icon={RotateCcw} onClick={() => resetCitation(path)}>
            {message('citation-reset')}
          </Button>
        )}
      </div>
    </section>
  );
}

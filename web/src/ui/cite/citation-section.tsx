/** The citation of the view, which the reader can edit before it is copied. */
import { RotateCcw } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { Opened } from '../../state/opened.ts';
import { hasText } from '../../state/tools.ts';
import { Button } from '../common/button.tsx';
import { citationOf, editCitation, isEdited, resetCitation } from '../common/citations.ts';
import { CopyButton } from '../common/copy.tsx';
import { lazilyQuiet } from '../common/lazy.tsx';
import { CitationFiles } from './citation-files.tsx';

const QuoteButton = lazilyQuiet(async () => (await import('../text/region-text.tsx')).QuoteButton);

export function CitationSection({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode {
  const id = useId();
  const { path } = opened;
  const text = citationOf(opened, address);
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
        onInput={({ currentTarget }) => editCitation(path, { text: currentTarget.value, address })}
      />
      <div class="button-row">
        <CopyButton text={() => text} name={message('copy-citation')} />
        {hasText.value && <QuoteButton opened={opened} address={address} />}
        {isEdited(path) && (
          <Button icon={RotateCcw} onClick={() => resetCitation(path)}>
            {message('citation-reset')}
          </Button>
        )}
      </div>
      <CitationFiles opened={opened} address={address} />
    </section>
  );
}

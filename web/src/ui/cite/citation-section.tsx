/**
 * The citation of the view, which the reader can edit before it is copied or saved for programs that keep references.
 */
import { FileDown, RotateCcw } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { citationFieldsOf } from '../../../../src/core/image/folder/citation-fields.ts';
import { plainText } from '../../../../src/core/image/folder/page-labels.ts';
import { message } from '../../messages/message.ts';
import {
  bibtexText,
  type CitationFormat,
  type CitedPage,
  citationMediaTypes,
  risText,
} from '../../model/cite/citation.ts';
import type { Opened } from '../../state/opened.ts';
import { hasText } from '../../state/tools.ts';
import { Button } from '../common/button.tsx';
import { citationOf, editCitation, isEdited, resetCitation } from '../common/citations.ts';
import { CopyButton } from '../common/copy.tsx';
import { saveFile } from '../common/elements.ts';
import { lazilyQuiet } from '../common/loading.tsx';

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

function citedPage({ folder, card }: Opened, address: string): CitedPage {
  const metadata = folder.metadata.map(({ label, value }) => ({ label: plainText(label), value: { none: value } }));
  return {
    fields: citationFieldsOf({ metadata }, []),
    title: folder.title,
    label: card.label,
    holder: folder.attribution.join(', '),
    rights: folder.rights ?? '',
    address,
    accessed: new Date().toISOString().slice(0, 10),
  };
}

function save(opened: Opened, address: string, format: CitationFormat): void {
  const cited = citedPage(opened, address);
  const text = format === 'ris' ? risText(cited) : bibtexText(cited);
  const stem =
    opened.path
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/, '') || 'citation';
  saveFile(new Blob([text], { type: citationMediaTypes[format] }), `${stem}.${format}`);
}

/** Buttons that save the citation for programs that keep references. */
const CitationFiles = ({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode => (
  <div class="button-row">
    <Button icon={FileDown} onClick={() => save(opened, address, 'ris')}>
      {message('citation-file', { format: 'RIS' })}
    </Button>
    <Button icon={FileDown} onClick={() => save(opened, address, 'bib')}>
      {message('citation-file', { format: 'BibTeX' })}
    </Button>
  </div>
);

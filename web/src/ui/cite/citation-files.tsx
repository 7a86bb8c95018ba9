/** Buttons that save the citation for programs that keep references. */
import { FileDown } from 'lucide';
import type { VNode } from 'preact';
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
import { Button } from '../common/button.tsx';
import { saveFile } from '../common/save-file.ts';

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

export const CitationFiles = ({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode => (
  <div class="button-row">
    <Button icon={FileDown} onClick={() => save(opened, address, 'ris')}>
      {message('citation-file', { format: 'RIS' })}
    </Button>
    <Button icon={FileDown} onClick={() => save(opened, address, 'bib')}>
      {message('citation-file', { format: 'BibTeX' })}
    </Button>
  </div>
);

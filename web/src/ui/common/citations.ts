/** The citation of a view: from the metadata, or as the reader has edited it. */
import { signal } from '@preact/signals';
import { language, message } from '../../messages/messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { citationText, type EditedText, replaceAddress, signatureIn } from '../../model/cite/citation.ts';
import type { Opened } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { namedView } from '../../state/viewport.ts';

/** Edited citations by the path of the image; they remain while the view or the page changes. */
const edits = signal<ReadonlyMap<string, EditedText>>(new Map());

const today = (): string => new Intl.DateTimeFormat(language.value, { dateStyle: 'long' }).format(new Date());

function defaultCitation({ folder, card }: Opened, address: string): string {
  const accessed = message('citation-accessed', { date: today() });
  const signature = signatureIn(folder.metadata);
  const holder = folder.attribution.join(', ');
  return citationText({ holder, title: folder.title, signature, label: card.label, address, accessed });
}

export function citationOf(opened: Opened, address: string): string {
  const edited = edits.value.get(opened.path);
  return edited === undefined ? defaultCitation(opened, address) : replaceAddress(edited, address);
}

export const isEdited = (path: string): boolean => edits.value.has(path);

export function editCitation(path: string, edited: EditedText): void {
  edits.value = new Map(edits.peek()).set(path, edited);
}

export function resetCitation(path: string): void {
  const others = new Map(edits.peek());
  others.delete(path);
  edits.value = others;
}

export const viewAddress = (): string => addressOfRoute(viewRoute(namedView.peek()));

/** Puts words of the page before the citation, in quotation marks and in one line. */
export function quoteInCitation(opened: Opened, address: string, words: string): void {
  const quoted = message('quotation', { text: words.replace(/\s+/g, ' ') });
  editCitation(opened.path, { text: `${quoted} ${citationOf(opened, address)}`, address });
}

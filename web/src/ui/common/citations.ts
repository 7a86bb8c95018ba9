/** The citation of a view: from the metadata, or as the reader has edited it. */
import { signal } from '@preact/signals';
import { language, message } from '../../messages/messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { citationText, type EditedText, replaceAddress, signatureIn } from '../../model/cite/citation.ts';
import { clipToImage } from '../../model/view/framing.ts';
import { atLeast } from '../../model/view/geometry.ts';
import { plainView, type Rect, wholeImage } from '../../model/view-state.ts';
import type { Opened } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { view } from '../../state/view.ts';
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

/** Where words of a page stand. */
export interface WordsPlace {
  readonly path: string;
  /** Of the page. */
  readonly label: string;
  /** In fractions of the page; undefined where nothing says where they are. */
  readonly box: Rect | undefined;
}

/** The least part of a page to which an address of words leads, as a fraction of its sides. */
const leastPart = 0.3;

/** Words with a citation of their page, whose address leads to them. */
export function wordsWithSource(opened: Opened, words: string, { path, label, box }: WordsPlace): string {
  const region = box === undefined ? wholeImage : clipToImage(atLeast(box, leastPart));
  const address = addressOfRoute(viewRoute({ ...plainView(path), region, texts: view.peek().texts }));
  return `${words}\n\n${defaultCitation({ ...opened, card: { ...opened.card, label } }, address)}`;
}

/** Puts words of the page before the citation, in quotation marks and in one line. */
export function quoteInCitation(opened: Opened, address: string, words: string): void {
  const quoted = message('quotation', { text: words.replace(/\s+/g, ' ') });
  editCitation(opened.path, { text: `${quoted} ${citationOf(opened, address)}`, address });
}

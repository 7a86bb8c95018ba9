/** What the pairs of a folder's metadata say in terms of citations: recognized by their labels, in several languages. */
import { type FolderMetadata, type LabeledText, textFor } from './folder-metadata.ts';
import { textsOfLabel } from './page-labels.ts';

/** The fields that programs for citations know; each is empty where the metadata has no pair for it. */
export interface CitationFields {
  readonly authors: readonly string[];
  readonly date: string;
  readonly publisher: string;
  readonly place: string;
  readonly language: string;
  readonly callNumber: string;
  /** Digital Object Identifier without `doi:`. */
  readonly doi: string;
  readonly isbn: string;
  /** A type of Zotero's (https://www.zotero.org/support/kb/item_types_and_fields). */
  readonly itemType: ItemType;
}

export type ItemType = 'book' | 'manuscript' | 'map' | 'letter' | 'artwork' | 'document';

const labels = {
  authors:
    /^(?:authors?|creators?|artists?|makers?|cartographers?|composers?|(?:verfasser|autor|urheber|künstler|kartograf|kartograph|komponist)(?:in|en|innen)?|auteurs?|créateurs?|artistes?)\b/iu,
  date: /^(?:date|dated|year|datum|datierung|jahr|erscheinungsjahr|entstehungszeit|année|fecha|data)\b/iu,
  publisher: /^(?:publishers?|verlag|verleger|éditeur)(?![\p{L}])/iu,
  place: /^(?:place|place of publication|ort|erscheinungsort|entstehungsort|lieu)\b/iu,
  language: /^(?:languages?|sprachen?|langues?)\b/iu,
  callNumber: /^(?:signatur[ae]?|shelf[ -]?mark|press[ -]?mark|call (?:number|no\.?)|cote|segnatura)\b/iu,
  doi: /^doi\b/iu,
  isbn: /^isbn\b/iu,
  itemType: /^(?:type|genre|typ|gattung|objektart|objekttyp|medium|art)\b/iu,
} as const;

/** Whether a label names the place of the original in its collection. */
export const isCallNumberLabel = (label: string): boolean => labels.callNumber.test(label.trim());

/** Words in the value of a type, the first that matches decides. */
const itemTypes: readonly (readonly [form: RegExp, type: ItemType])[] = [
  [/manus[ck]ript|handschrift|manuscrit|codex/iu, 'manuscript'],
  [/\b(?:map|chart|karte|landkarte|seekarte|carte|atlas)\b/iu, 'map'],
  [/\b(?:letter|brief|lettre)\b/iu, 'letter'],
  [/\b(?:book|buch|druck|livre|incunab)/iu, 'book'],
  [/photo|drawing|painting|print\b|zeichnung|gemälde|foto|grafik|dessin|peinture|coin|münze/iu, 'artwork'],
];

/** Words that say that nobody is known: they would become persons in a bibliography. */
const isNobody = (name: string): boolean =>
  /^\W*(?:unknown|unbekannt|anonym(?:ous|us|e)?|inconnue?|n\.? ?n\.?|s\. ?n\.?|\?|-|–)\W*$/iu.test(name);

const isNamed = ({ label }: LabeledText, form: RegExp): boolean =>
  textsOfLabel(label).some((text) => form.test(text.trim()));

/** A book is what is turned over in openings, unless the metadata names a type. */
function itemTypeOf(named: string, behavior: readonly string[] = []): ItemType {
  const type = itemTypes.find(([form]) => form.test(named))?.[1];
  return type ?? (behavior.includes('paged') ? 'book' : 'document');
}

/** The fields in a reader's languages (tags in lower case). */
export function citationFieldsOf(source: FolderMetadata, languages: readonly string[]): CitationFields {
  const { metadata = [], behavior } = source;
  const valuesOf = (form: RegExp): readonly string[] => {
    const pair = metadata.find((one) => isNamed(one, form));
    return pair === undefined ? [] : textFor(pair.value, languages);
  };
  const textOf = (form: RegExp): string => valuesOf(form).join(', ');
  return {
    authors: valuesOf(labels.authors).filter((name) => !isNobody(name)),
    date: textOf(labels.date),
    publisher: textOf(labels.publisher),
    place: textOf(labels.place),
    language: textOf(labels.language),
    callNumber: textOf(labels.callNumber),
    doi: textOf(labels.doi).replace(/^(?:doi:\s*|https?:\/\/(?:dx\.)?doi\.org\/)/i, ''),
    isbn: textOf(labels.isbn),
    itemType: itemTypeOf(textOf(labels.itemType), behavior),
  };
}

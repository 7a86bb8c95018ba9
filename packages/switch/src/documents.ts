/** Compares JSON and XML documents member by member; differences on purpose have causes of their own. */
import { SaxesParser } from 'saxes';
import { type Cause, mostSevere, same, type Verdict } from './causes.ts';
import { type Endpoint, infoMembers, parametersOf } from './digilib.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

interface Difference {
  /** The names and numbers that lead to it. */
  readonly path: readonly string[];
  readonly old: Json | undefined;
  readonly now: Json | undefined;
}

/** Deeper nesting is taken for a difference, so that no document can exhaust the stack. */
const maxDepth = 100;

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands before digilib's and Lectern's own paths in an address; behind a proxy it is neither base. */
const base = /^https?:\/\/[^\s?#]*?(?=\/(?:servlet\/)?(?:Scaler|Manifester|api|iiif|presentation)(?:[/?]|$))/;

/** Numbers that print otherwise, such as 32-bit and 64-bit ones, are equal; addresses are, where they only have another base. */
function areEqual(old: Json | undefined, now: Json | undefined): boolean {
  if (typeof old === 'number' && typeof now === 'number') {
    return Math.abs(old - now) <= 1e-5 * Math.max(Math.abs(old), Math.abs(now));
  }
  if (typeof old === 'string' && typeof now === 'string') return old.replace(base, '') === now.replace(base, '');
  return old === now;
}

function* differencesOf(old: Json | undefined, now: Json | undefined, path: readonly string[]): Generator<Difference> {
  const areLists = Array.isArray(old) && Array.isArray(now);
  if (path.length < maxDepth && (areLists || (isObject(old) && isObject(now)))) {
    const [a, b] = [new Map(Object.entries(old as object)), new Map(Object.entries(now as object))];
    for (const name of new Set([...a.keys(), ...b.keys()])) {
      yield* differencesOf(a.get(name), b.get(name), [...path, name]);
    }
  } else if (!areEqual(old, now)) yield { path, old, now };
}

/** A part of a document for people: short, on one line, and without signs that turn the writing. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
  const text = JSON.stringify(value).replace(/[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '�');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

const detailOf = ({ path, old, now }: Difference): string =>
  `${path.length === 0 ? 'the document' : path.join(' > ')}: ${shown(now)} instead of ${shown(old)}`;

/** The cause of a difference; `query` is that of the request, raw. */
type Explain = (difference: Difference, all: ReadonlyMap<string, Difference>, query: string) => Cause;

/** Whether width and height, under these names, are swapped. */
function areExchanged(all: ReadonlyMap<string, Difference>, width: string, height: string): boolean {
  const [w, h] = [all.get(width), all.get(height)];
  return w?.old !== undefined && h?.old !== undefined && w.old === h.now && h.old === w.now;
}

/** Whether a fact is empty in the old answer, or the same in other words: a path before the name, parts of a dpi. */
function isFilled(name: string, { old, now }: Difference): boolean {
  if (typeof old !== 'string' || typeof now !== 'string') return false;
  if (old === '' || Number(old) === 0) return true;
  if (name === 'img.fn') return old.endsWith(`/${now}`);
  return name.startsWith('img.dpi') && Math.abs(Number(old) - Number(now)) < 1;
}

/** Whether a parameter of the request has a number that Java reads and the new server does not. */
const isOddNumber = (name: string, query: string): boolean =>
  query.split(/[&;]/).some((pair) => pair.startsWith(`${name}=`) && /0x|nan|infinity/i.test(pair.slice(name.length)));

/** Whether a request names nothing, in any spelling: then the new server has no facts, and digilib those of the root. */
const namesNothing = (query: string): boolean => !/[^/.]/.test(parametersOf(query).get('fn') ?? '');

function explainFact(name: string, difference: Difference, query: string, all: ReadonlyMap<string, Difference>): Cause {
  if (name.startsWith('img.pix_') && areExchanged(all, 'img.pix_x', 'img.pix_y')) return 'upright';
  return isFilled(name, difference) || namesNothing(query) ? 'image-facts' : 'other-content';
}

const explainInfoObject: Explain = (difference, all, query) => {
  const [name = ''] = difference.path;
  if (name === 'base.url' || name === 'servlet.request') return 'own-address';
  if (name === 'docu.image' || (!infoMembers.has(name) && difference.now === undefined)) return 'own-members';
  if (name.startsWith('img.')) return explainFact(name, difference, query, all);
  return isOddNumber(name, query) ? 'number-form' : 'other-content';
};

const explainImageInfo: Explain = ({ path: [name = ''] }, all) =>
  ['width', 'height', 'aspect'].includes(name) && areExchanged(all, 'width', 'height') ? 'upright' : 'other-content';

/** The members of info.json that describe the image; the others describe the server's abilities. */
const explainInfoJson: Explain = ({ path: [name = ''] }, all) => {
  if (['width', 'height'].includes(name)) return areExchanged(all, 'width', 'height') ? 'upright' : 'other-content';
  return ['@context', '@id', 'id', 'protocol', 'type'].includes(name) ? 'other-content' : 'own-document';
};

/** Of a manifest, what a reader sees has to be the same: the pages in their order, their sizes and labels. */
const explainManifest: Explain = ({ path }, all) => {
  const [name = ''] = path;
  if (name === '@context') return 'other-content';
  const pages = name === 'sequences' ? path.slice(1) : path;
  if (!['sequences', 'items'].includes(name) || (name === 'sequences' && pages[1] !== 'canvases'))
    return 'own-document';
  const [page, member] = name === 'sequences' ? pages.slice(2) : pages.slice(1);
  if (page === undefined || member === undefined || member === 'label') return 'other-content';
  if (member !== 'width' && member !== 'height') return 'own-document';
  const before = path.slice(0, -1).join('/');
  return areExchanged(all, `${before}/width`, `${before}/height`) ? 'upright' : 'other-content';
};

/** Any difference in another document is one of content. */
const explanations: Partial<Readonly<Record<Endpoint, Explain>>> = {
  'info-object': explainInfoObject,
  'image-info': explainImageInfo,
  'iiif-info': explainInfoJson,
  manifest: explainManifest,
};

/** An element while it is read: its name and attributes, and its text or the elements in it. */
interface ElementParts {
  readonly facts: { readonly [name: string]: Json };
  readonly children: Json[];
  text: string;
}

const elementOf = ({ facts, children, text }: ElementParts): Json => ({
  ...facts,
  content: children.length === 0 ? text.trim() : children,
});

/** The root element with all in it. Throws for what is not well-formed. */
function parseElements(xml: string): Json {
  const parser = new SaxesParser();
  const open: ElementParts[] = [];
  let root: Json = null;
  const addText = (text: string): void => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const named = Object.entries(attributes).map(([key, value]) => [`@${key}`, value] as const);
    open.push({ facts: { name, ...Object.fromEntries(named) }, children: [], text: '' });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const last = open.pop();
    if (last === undefined) return;
    const element = elementOf(last);
    const parent = open.at(-1);
    if (parent === undefined) root = element;
    else parent.children.push(element);
  });
  parser.write(xml).close();
  return root;
}

/** The info object in XML has a member for each element, as the one in JSON does. */
function membersOf(document: Json): Json {
  const content = isObject(document) ? document['content'] : undefined;
  if (!Array.isArray(content)) return document;
  const named = content.filter(isObject).map((one) => [String(one['@name'] ?? ''), one['@value'] ?? ''] as const);
  return Object.fromEntries(named);
}

function parseJson(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function parseXml(bytes: Buffer, endpoint: Endpoint): Json | undefined {
  try {
    // A page of JSP begins with blank lines, before which no XML declaration may stand.
    const document = parseElements(bytes.toString('utf8').trim());
    return endpoint === 'info-object' ? membersOf(document) : document;
  } catch {
    return undefined;
  }
}

/** Two documents of the same kind, and the query of their request. */
interface DocumentPair {
  readonly form: 'json' | 'xml';
  readonly old: Buffer;
  readonly now: Buffer;
  readonly endpoint: Endpoint;
  /** Of the request, raw. */
  readonly query: string;
}

/** The verdict on the new document. */
export function compareDocuments({ form, old, now, endpoint, query }: DocumentPair): Verdict {
  if (old.equals(now)) return same;
  const parse = (bytes: Buffer): Json | undefined => (form === 'json' ? parseJson(bytes) : parseXml(bytes, endpoint));
  const [before, after] = [parse(old), parse(now)];
  const name = form.toUpperCase();
  if (after === undefined) return { cause: 'other-content', detail: `the new answer is not ${name}` };
  if (before === undefined) return { cause: 'escaped', detail: `the old answer is not ${name}` };
  const differences = [...differencesOf(before, after, [])];
  const all = new Map(differences.map((one) => [one.path.join('/'), one]));
  const causeOf = (one: Difference): Cause => explanations[endpoint]?.(one, all, query) ?? 'other-content';
  return mostSevere(differences.map((one) => ({ cause: causeOf(one), detail: detailOf(one) })));
}

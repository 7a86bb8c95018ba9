/** Names of licenses and rights statements by their addresses. */

/** What kind of statement it is, for an icon: a license, the public domain, copyright, or anything else. */
export type RightsKind = 'license' | 'public-domain' | 'copyright' | 'other';

export interface Rights {
  readonly kind: RightsKind;
  /** A name that is the same in all languages, such as `CC BY-SA 4.0`; empty for none. */
  readonly name: string;
  /** The statements of which its meaning consists, for `rights-…` in the texts. */
  readonly words: readonly RightsWord[];
}

/** The terms of Creative Commons, and the identifiers of rightsstatements.org. */
export const rightsWords = [
  'by',
  'sa',
  'nc',
  'nd',
  'mark',
  'zero',
  'InC',
  'InC-OW-EU',
  'InC-EDU',
  'InC-NC',
  'InC-RUU',
  'NoC-CR',
  'NoC-NC',
  'NoC-OKLR',
  'NoC-US',
  'CNE',
  'UND',
  'NKC',
] as const;

type RightsWord = (typeof rightsWords)[number];

const isWord = (text: string): text is RightsWord => rightsWords.some((word) => word === text);

const license = /^https?:\/\/(?:www\.)?creativecommons\.org\/licenses\/([a-z-]+)\/([\d.]+)(?:\/([a-z]{2,3}))?/i;
const publicDomain = /^https?:\/\/(?:www\.)?creativecommons\.org\/publicdomain\/(mark|zero)\/([\d.]+)/i;
const statement = /^https?:\/\/(?:www\.)?rightsstatements\.org\/(?:vocab|page)\/([A-Za-z-]+)\//i;

function statementKind(word: string): RightsKind {
  if (word.startsWith('InC')) return 'copyright';
  return word.startsWith('NoC') ? 'public-domain' : 'other';
}

/** Undefined for other addresses. */
export function rightsAt(address: string): Rights | undefined {
  const licensed = license.exec(address);
  if (licensed !== null) {
    const [, terms = '', version = '', country = ''] = licensed;
    const words = terms.toLowerCase().split('-').filter(isWord);
    const name = `CC ${terms.toUpperCase()} ${version} ${country.toUpperCase()}`.trim();
    return words.length === 0 ? undefined : { kind: 'license', name, words };
  }
  const free = publicDomain.exec(address);
  if (free !== null) {
    const word = free[1]?.toLowerCase() === 'zero' ? 'zero' : 'mark';
    return { kind: 'public-domain', name: word === 'zero' ? `CC0 ${free[2]}` : '', words: [word] };
  }
  const word = statement.exec(address)?.[1] ?? '';
  return isWord(word) ? { kind: statementKind(word), name: '', words: [word] } : undefined;
}

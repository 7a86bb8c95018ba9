/** The usual names of licenses and rights statements, by their addresses. */

/** The statements of rightsstatements.org, by the last part of their addresses. */
const statements: Readonly<Record<string, string>> = {
  InC: 'In Copyright',
  'InC-OW-EU': 'In Copyright – EU Orphan Work',
  'InC-EDU': 'In Copyright – Educational Use Permitted',
  'InC-NC': 'In Copyright – Non-Commercial Use Permitted',
  'InC-RUU': 'In Copyright – Rights-holder(s) Unlocatable or Unidentifiable',
  'NoC-CR': 'No Copyright – Contractual Restrictions',
  'NoC-NC': 'No Copyright – Non-Commercial Use Only',
  'NoC-OKLR': 'No Copyright – Other Known Legal Restrictions',
  'NoC-US': 'No Copyright – United States',
  CNE: 'Copyright Not Evaluated',
  UND: 'Copyright Undetermined',
  NKC: 'No Known Copyright',
};

const license =
  /^https?:\/\/(?:www\.)?creativecommons\.org\/(licenses|publicdomain)\/([a-z-]+)\/(\d\.\d)(?:\/([a-z]{2,3})(?:\/|$))?/i;
const statement = /^https?:\/\/(?:www\.)?rightsstatements\.org\/(?:vocab|page)\/([A-Za-z-]+)\//i;

/** `CC BY-SA 4.0`, `CC0 1.0`, `In Copyright`; the address or text itself where it has no such name. */
export function rightsName(rights: string): string {
  const [, kind, terms = '', version, country = ''] = license.exec(rights) ?? [];
  if (kind === 'licenses') return `CC ${terms.toUpperCase()} ${version} ${country.toUpperCase()}`.trim();
  if (kind !== undefined) return terms.toLowerCase() === 'zero' ? `CC0 ${version}` : `Public Domain Mark ${version}`;
  const name = statement.exec(rights)?.[1] ?? '';
  return Object.hasOwn(statements, name) ? (statements[name] ?? rights) : rights;
}

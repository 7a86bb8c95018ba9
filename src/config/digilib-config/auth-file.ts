/** Reads a digilib-auth.xml into the settings of access (digilib.md, section 7). */
import type { z } from 'zod';
import { suggestion } from '../../core/parsing/nearest.ts';
import { parseJson } from '../../core/parsing/parse.ts';
import type { XmlElement } from '../../core/parsing/xml.ts';
import { accessSettings } from '../groups/access-settings.ts';
import { formatKeyPath, type Tree } from '../sources/tree.ts';
import { elementsNamed, readXmlFile, XmlError } from './xml-file.ts';

export interface AuthFile {
  readonly access: Tree;
  /** A sentence each; if there are any, the settings must not be used. */
  readonly problems: readonly string[];
}

/** A wrong element; the message says what is expected. */
class Fault extends Error {}

const rolesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');

function attribute({ attributes, name }: XmlElement, wanted: string): string {
  const value = attributes[wanted];
  if (value === undefined) throw new Fault(`<${name}> must have ${wanted}="…"`);
  return value;
}

interface JsonWebKey {
  readonly kty?: unknown;
  readonly crv?: unknown;
  readonly alg?: unknown;
}

function keyOf(text: string): JsonWebKey {
  const key = parseJson(text);
  if (typeof key !== 'object' || key === null) throw new Fault('<openid> must hold a key as JSON (JWK)');
  return key;
}

const curves: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };

/** The signature algorithm of a key: its `alg`, or else the usual one of its type. */
function algorithmOf({ kty, crv, alg }: JsonWebKey): string {
  if (typeof alg === 'string') return alg;
  const usual = kty === 'RSA' ? 'RS256' : kty === 'OKP' ? 'EdDSA' : kty === 'EC' ? curves[String(crv)] : undefined;
  if (usual === undefined)
    throw new Fault('the key of <openid> must be public: RSA, EC on P-256, P-384, P-521, or OKP');
  return usual;
}

function tokenOf(element: XmlElement): Tree {
  if (attribute(element, 'keytype') !== 'jwk') throw new Fault('<openid> must have keytype="jwk"');
  const key = keyOf(element.text);
  return {
    issuer: attribute(element, 'issuer'),
    audience: attribute(element, 'clientid'),
    roles: rolesIn(attribute(element, 'roles')),
    keys: [key],
    algorithms: [algorithmOf(key)],
  };
}

/** Images without a type, or of a type that is not listed, are open if `default` requires no role. */
function typeOf(element: XmlElement): Tree | undefined {
  const named = attribute(element, 'type');
  const type = named.toLowerCase() === 'default' ? 'default' : named;
  const roles = rolesIn(attribute(element, 'role'));
  return type === 'default' && roles.length === 0 ? undefined : { type, roles };
}

interface Section {
  readonly name: string;
  readonly element: string;
  readonly read: (element: XmlElement) => Tree | undefined;
}

const sections = {
  addresses: {
    name: 'digilib-addresses',
    element: 'address',
    read: (element) => ({ address: attribute(element, 'ip'), roles: rolesIn(attribute(element, 'role')) }),
  },
  tokens: { name: 'digilib-oauth', element: 'openid', read: tokenOf },
  paths: {
    name: 'digilib-paths',
    element: 'path',
    read: (element) => ({ path: attribute(element, 'name'), roles: rolesIn(attribute(element, 'role')) }),
  },
  types: { name: 'digilib-access', element: 'access', read: typeOf },
} as const satisfies Readonly<Record<string, Section>>;

type Part = keyof typeof sections;

/** What gives callers roles. */
export type RoleSource = 'addresses' | 'tokens';

/** What protects images: rules by path, or by the access type of metadata. */
export type ProtectionRules = 'paths' | 'types';

interface Rule {
  readonly line: number;
  readonly value: Tree;
}

function readElement(element: XmlElement, section: Section): Tree | undefined {
  if (element.name === section.element) return section.read(element);
  throw new Fault(
    `there is no <${element.name}> in <${section.name}>${suggestion(element.name, [section.element], (name) => `<${name}>`)}`,
  );
}

/** The rules of one part of the file; what is wrong with them is added to the problems. */
function readPart(root: XmlElement, part: Part, problems: string[]): readonly Rule[] {
  const section: Section = sections[part];
  const elements = elementsNamed(root, section.name).flatMap(({ children }) => children);
  return elements.flatMap((element): readonly Rule[] => {
    const { line } = element;
    try {
      const value = readElement(element, section);
      return value === undefined ? [] : [{ line, value }];
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push(`line ${line}: ${error.message}`);
      return [];
    }
  });
}

/** What the schema of the settings finds wrong with the rules, with their lines in the file. */
function problemsOfRules(part: Part, rules: readonly Rule[]): readonly string[] {
  const schema: z.ZodType = accessSettings.shape[part];
  const result = schema.safeParse(rules.map(({ value }) => value));
  return (result.error?.issues ?? []).map(({ path: [index, ...member], message }) => {
    const line = rules[Number(index)]?.line;
    return `line ${line}: <${sections[part].element}>: ${member.length > 0 ? `${formatKeyPath(member)}: ` : ''}${message}`;
  });
}

/** Without its section, everything would be open although access is to be restricted. */
const missingRules = (root: XmlElement, part: Part): readonly string[] => {
  const { name } = sections[part];
  return elementsNamed(root, name).length > 0
    ? []
    : [`it must have <${name}>, which says what needs a role; without it everything would be open`];
};

/** The settings of access in those parts of a file that count. Wrong content is returned as problems, and never throws. */
export function readDigilibAuth(file: string, sources: readonly RoleSource[], rules: ProtectionRules): AuthFile {
  let root: XmlElement;
  try {
    root = readXmlFile(file);
  } catch (error) {
    if (error instanceof XmlError) return { access: {}, problems: [error.message] };
    throw error;
  }
  const problems = [...missingRules(root, rules)];
  const access: Record<string, readonly Tree[]> = {};
  for (const part of [...sources, rules]) {
    const read = readPart(root, part, problems);
    problems.push(...problemsOfRules(part, read));
    if (read.length > 0) access[part] = read.map(({ value }) => value);
  }
  return { access, problems: problems.map((problem) => `${file.split(/[\\/]/).at(-1)}: ${problem}`) };
}

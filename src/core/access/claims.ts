/** Roles by what an issuer says of a person: the claims of ID tokens, and of people who signed in. */

/** Gives roles where a claim has a value, or has any. */
export interface ClaimRule {
  /** The name of a claim; `a.b` is the claim b inside of a. */
  readonly claim: string;
  /** The whole value, or one of a list; a star at its beginning or end stands for any text. Undefined for any value. */
  readonly value?: string | undefined;
  readonly roles: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

/** The value of a claim by its name, or else by a path of names separated by periods. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const step of name.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** The texts of a claim: of a list each of its texts, of a text its words. */
export function wordsOfClaim(claims: Claims, name: string | undefined): readonly string[] {
  const value = name === undefined ? undefined : claimOf(claims, name);
  const found: readonly unknown[] = typeof value === 'string' ? value.split(/\s+/) : Array.isArray(value) ? value : [];
  return found.filter((one): one is string => typeof one === 'string' && one !== '');
}

function isLike(text: string, pattern: string): boolean {
  if (pattern.length > 1 && pattern.startsWith('*')) return text.endsWith(pattern.slice(1));
  if (pattern.length > 1 && pattern.endsWith('*')) return text.startsWith(pattern.slice(0, -1));
  return text === pattern;
}

function isMet({ claim, value }: ClaimRule, claims: Claims): boolean {
  const found = claimOf(claims, claim);
  const texts = [found].flat().filter((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return texts.some((text) => (value === undefined ? text !== '' && text !== false : isLike(String(text), value)));
}

/** The roles of all rules that the claims meet. */
export const rolesOfClaims = (rules: readonly ClaimRule[], claims: Claims): readonly string[] =>
  rules.filter((rule) => isMet(rule, claims)).flatMap(({ roles }) => roles);

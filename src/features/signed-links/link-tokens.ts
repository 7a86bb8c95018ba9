/** Signs links and verifies them: JSON Web Signatures with a key that the site alone has (JWS, RFC 7515, HS256). */
import { createHash, randomBytes } from 'node:crypto';
import { CompactSign, compactVerify, decodeProtectedHeader } from 'jose';
import { ImageError } from '../../core/image/model/errors.ts';
import { formatIdentifier, type Identifier, parseIdentifier } from '../../core/image/model/identifier.ts';
import { decodeFormText, parseJson } from '../../core/parsing/parse.ts';
import type { LinkKey, LinkKeys } from './link-keys.ts';

/** What a link says. */
export interface Link {
  readonly id: string;
  /** The name of its key. */
  readonly key: string;
  /** In ms since 1970, whole seconds. */
  readonly untilMs: number;
  /** The paths that its image or folder had when it was signed. */
  readonly paths: readonly Identifier[];
  readonly tier?: string | undefined;
  /** For whom it is. */
  readonly recipient?: string | undefined;
  /** The roles of who signed it; undefined where the site itself did. */
  readonly roles?: readonly string[] | undefined;
  /** The only address that it opens, as `addressMark` marks it; undefined for all of its image or folder. */
  readonly address?: string | undefined;
  /** Whether it can be used once. */
  readonly isOnce: boolean;
}

/** A link as it is sent: short names, since it stands in addresses. */
interface Payload {
  readonly i: string;
  readonly e: number;
  readonly p: readonly string[];
  readonly t?: string | undefined;
  readonly f?: string | undefined;
  readonly r?: readonly string[] | undefined;
  readonly a?: string | undefined;
  readonly o?: 1;
}

export const maxTokenLength = 2000;

const algorithm = 'HS256';

export const newLinkId = (): string => randomBytes(6).toString('base64url');

/** The same text for an address and for what a form sends to it: with other encodings of its parameters. */
function canonicalAddress(address: string): string {
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  const pairs = query.split('&').map((pair) => pair.split(/=(.*)/s, 2).map(decodeFormText));
  return `${path}?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}

/** What stands for an address in a link, which would be too long with it. */
export const addressMark = (address: string): string =>
  createHash('sha256').update(canonicalAddress(address)).digest('base64url').slice(0, 22);

/** Throws ImageError `bad-request` for what no address can hold. */
export async function signLink(link: Omit<Link, 'key'>, { name, bytes }: LinkKey): Promise<string> {
  const payload: Payload = {
    i: link.id,
    e: link.untilMs / 1000,
    p: link.paths.map(formatIdentifier),
    t: link.tier,
    f: link.recipient,
    r: link.roles,
    a: link.address,
    ...(link.isOnce && { o: 1 }),
  };
  const signing = new CompactSign(new TextEncoder().encode(JSON.stringify(payload)));
  const token = await signing.setProtectedHeader({ alg: algorithm, kid: name }).sign(bytes);
  if (token.length > maxTokenLength)
    throw new ImageError('bad-request', 'The link would be too long: its paths, names and roles are.');
  return token;
}

const faults = {
  altered: 'This link is not the one that was sent: a part of it is missing or was changed.',
  withdrawn: 'This link was withdrawn.',
} as const;

const altered = (): ImageError => new ImageError('denied', faults.altered);
const over = (message: string): ImageError => new ImageError('link-over', message);

/** 31 December 2026 at 23:59 UTC. */
export const dateText = (ms: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`;

function keyNameOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

async function payloadOf(token: string, { bytes }: LinkKey): Promise<Payload> {
  const verified = await compactVerify(token, bytes, { algorithms: [algorithm] }).catch(() => undefined);
  if (verified === undefined) throw altered();
  // Nobody but the site signs it, so that it is what it was made of.
  return parseJson(new TextDecoder().decode(verified.payload)) as Payload;
}

/**
 * The link of a token, as long as it counts. Rejects with ImageError, whose sentence tells nothing of what it opens: `denied` for what
 * was not signed so, `link-over` for a link that has expired or was withdrawn, with its key or alone.
 */
export async function verifyLink(token: string, { keys, revoked }: LinkKeys, nowMs: number): Promise<Link> {
  if (token.length > maxTokenLength) throw altered();
  const name = keyNameOf(token);
  if (name === undefined) throw altered();
  const key = keys.get(name);
  if (key === undefined) throw over(faults.withdrawn);
  const { i, e, p, t, f, r, a, o } = await payloadOf(token, key);
  const untilMs = e * 1000;
  if (revoked.has(i)) throw over(faults.withdrawn);
  if (nowMs >= untilMs) throw over(`This link was valid until ${dateText(untilMs - 1)}.`);
  const paths = p.flatMap((path) => parseIdentifier(path) ?? []);
  return { id: i, key: name, untilMs, paths, tier: t, recipient: f, roles: r, address: a, isOnce: o === 1 };
}

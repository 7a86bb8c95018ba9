/** The use case of a new link: finds what it is for, checks that its signer may open it, and signs. */
import type { Access, Caller, Grant } from '../../core/access/policy.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { formatIdentifier, type Identifier, parseIdentifier } from '../../core/image/model/identifier.ts';
import { endOfUntil } from '../../core/image/model/until.ts';
import type { Library } from '../../core/library/library.ts';
import type { LinkKey, ReadLinkKeys } from './link-keys.ts';
import { originalAddress, pageAddress, parseSubject, withToken } from './link-subject.ts';
import { addressMark, type Link, newLinkId, signLink } from './link-tokens.ts';

export interface LinkRequest {
  /** A path of the library, or an address of this server. */
  readonly subject: string;
  /** A date (`2026-12-31`), a moment in time, or how long: `12h`, `14d`. */
  readonly until: string;
  readonly tier?: string | undefined;
  /** For whom it is. */
  readonly for?: string | undefined;
  /** Whether it opens the original file of an image, and nothing else. */
  readonly original?: boolean | undefined;
  readonly once?: boolean | undefined;
  /** The name of the key; the first one of the file where none is named. */
  readonly key?: string | undefined;
}

export interface LinkMakerParts {
  readonly library: Pick<Library, 'findFolder' | 'locate' | 'imageMetadata'>;
  readonly access: Pick<Access, 'tiers' | 'grantFor' | 'grantAt' | 'includes'>;
  readonly keys: ReadLinkKeys;
  readonly maxDays: number;
  readonly iiifSlash: string;
  /** Whether the use of a link can be noted. */
  readonly canCount: boolean;
}

/** Who signs: somebody with the roles of a caller, or the site itself. */
export type Signer = Caller | 'site';

export interface MadeLink {
  readonly link: Link;
  /** Behind the base. */
  readonly address: string;
}

/** What was found at a path. */
interface Found {
  readonly path: string;
  readonly paths: readonly Identifier[];
  readonly isFolder: boolean;
  /** As access says it for the signer. */
  readonly grant: Grant | undefined;
}

const dayMs = 24 * 3_600_000;

/** The end of what somebody wrote, in whole seconds. Throws ImageError `bad-request`. */
function endOf(text: string, maxDays: number, nowMs: number): number {
  const [, amount, unit] = /^([1-9]\d{0,4})(h|d)$/.exec(text) ?? [];
  const moment = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  const atMs =
    amount === undefined ? (endOfUntil(text) ?? moment) : nowMs + Number(amount) * (unit === 'h' ? 3_600_000 : dayMs);
  const untilMs = Math.floor(atMs / 1000) * 1000;
  if (!Number.isFinite(untilMs))
    throw badRequest('“until” must be a date such as 2026-12-31, a time such as 2026-12-31T18:00Z, or 12h or 14d.');
  if (untilMs <= nowMs) throw badRequest('“until” is over already.');
  if (untilMs > nowMs + maxDays * dayMs) throw badRequest(`A link can be valid for ${maxDays} days at most.`);
  return untilMs;
}

function requireKey(keys: ReadonlyMap<string, LinkKey>, name: string | undefined): LinkKey {
  const key = name === undefined ? keys.values().next().value : keys.get(name);
  if (key === undefined)
    throw badRequest(name === undefined ? 'The file of keys has no key.' : `There is no key “${name}”.`);
  return key;
}

const nothingThere = (): ImageError => new ImageError('not-found', 'There is no image or folder of this name.');

async function find(path: string, signer: Signer, { library, access }: LinkMakerParts): Promise<Found> {
  const identifier = parseIdentifier(path);
  if (identifier === undefined) throw nothingThere();
  const by = (grant: (caller: Caller) => Grant | undefined) => (signer === 'site' ? 'all' : grant(signer));
  // Nobody learns which names there are in a closed folder.
  if (by((caller) => access.grantAt([identifier], caller)) === undefined) throw nothingThere();
  const folder = await library.findFolder(identifier);
  if (folder !== undefined) {
    const grant = by((caller) => access.grantAt(folder.paths, caller));
    return { path: formatIdentifier(identifier), paths: folder.paths, isFolder: true, grant };
  }
  const located = await library.locate(identifier, 1);
  if (located === undefined) throw nothingThere();
  const { access: type } = await library.imageMetadata(located);
  const { paths } = located;
  const grant = by((caller) => access.grantFor({ paths, ...(type !== undefined && { type }) }, caller));
  return { path: formatIdentifier(located.identifier), paths, isFolder: false, grant };
}

function requireGrant({ grant }: Found, { tier, original }: LinkRequest, { access }: LinkMakerParts): void {
  const named = access.tiers.find(({ name }) => name === tier);
  if (tier !== undefined && named === undefined) throw badRequest(`There is no tier “${tier}”.`);
  if (grant === undefined) throw nothingThere();
  if (!access.includes(grant, named ?? 'all'))
    throw new ImageError('denied', 'You may not see as much as the link would show.');
  if (original && named?.originals === false) throw badRequest(`The tier “${tier}” has no originals.`);
}

/** A page of an image in a tier keeps its identifier; the address of one picture names the tier. */
function inTierAddress(address: string, tier: string | undefined): string {
  const [, before = '', identifier = '', behind = ''] = /^(iiif\/[123]\/)([^/]+)(\/.*)$/s.exec(address) ?? [];
  return tier === undefined || before === '' || identifier.includes(';tier=')
    ? address
    : `${before}${identifier};tier=${tier}${behind}`;
}

/** What a link leads to, and the paths that it opens. */
function placeOf(request: LinkRequest, found: Found, asked: { readonly address?: string; readonly isExact: boolean }) {
  const { path, paths, isFolder } = found;
  const isExact = asked.isExact || request.original === true;
  if (isExact && isFolder) throw badRequest('Name the image itself: this is a folder.');
  if (request.once && !isExact) throw badRequest('Only one picture or the original of an image can be opened once.');
  if (request.original) return { address: originalAddress(path), isExact, paths };
  return { address: inTierAddress(asked.address ?? pageAddress(path, isFolder), request.tier), isExact, paths };
}

/** Makes a link. Rejects with ImageError where it can't be made, or the signer may not make it. */
export async function makeLink(
  request: LinkRequest,
  signer: Signer,
  bases: readonly string[],
  parts: LinkMakerParts,
): Promise<MadeLink> {
  const untilMs = endOf(request.until, parts.maxDays, Date.now());
  const key = requireKey((await parts.keys()).keys, request.key);
  const asked = parseSubject(request.subject, bases, parts.iiifSlash);
  if (asked === undefined)
    throw badRequest('A link opens a path of the library, a page of the reading room, or the address of a picture.');
  if (request.once && !parts.canCount)
    throw badRequest('Links that count once need signedLinks.usedFolder or redis, where their use is noted.');
  const found = await find(asked.path.replace(/;tier=[^/]*$/, ''), signer, parts);
  requireGrant(found, request, parts);
  const { address, isExact, paths } = placeOf(request, found, asked);
  const link = {
    id: newLinkId(),
    untilMs,
    // A picture can be named without the extension of its file.
    paths: asked.isExact && !request.original ? [...paths, ...askedPath(asked.path)] : paths,
    tier: request.tier,
    recipient: request.for,
    roles: signer === 'site' ? undefined : [...signer.roles],
    address: isExact ? addressMark(address) : undefined,
    isOnce: request.once === true,
  };
  return { link: { ...link, key: key.name }, address: withToken(address, await signLink(link, key)) };
}

function askedPath(path: string): readonly Identifier[] {
  const identifier = parseIdentifier(path.replace(/;tier=[^/]*$/, ''));
  return identifier === undefined ? [] : [identifier];
}

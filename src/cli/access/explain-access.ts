/** Runs `lectern access explain`: which roles somebody has, which ones a path needs, and whether that is enough. */
import { isIP } from 'node:net';
import { pino } from 'pino';
import { type App, createApp } from '../../app/app.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { type Claims, wordsOfClaim } from '../../core/access/claims.ts';
import type { Grants } from '../../core/access/path-rules.ts';
import type { Caller, Client } from '../../core/access/policy.ts';
import { statusOf } from '../../core/http/error-responses.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { formatIdentifier, parseIdentifier } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet } from '../../core/image/model/image-set.ts';
import { parseJson } from '../../core/parsing/parse.ts';
import { nameOf } from '../../features/sign-in/sessions.ts';
import { configurationOf } from '../common/command-configuration.ts';
import type { Flags } from '../common/settings-flags.ts';
import { printable } from '../common/text.ts';
import { UsageError } from '../common/usage-error.ts';

export interface ExplainAccessFlags extends Flags {
  readonly as?: readonly string[];
  readonly link?: string;
}

const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function personOf(text: string, settings: Settings): Partial<Client> {
  const claims = parseJson(text);
  if (!isClaims(claims))
    throw new UsageError(`--as ${text}: the claims must be an object of JSON, such as {"groups":["staff"]}`);
  const { roles = [], rolesClaim } = settings.signIn?.provider ?? {};
  const name = nameOf({ claims, subject: 'somebody' });
  return { signedIn: { name, claims, roles: [...roles, ...wordsOfClaim(claims, rolesClaim)] } };
}

async function userNamed(name: string, settings: Settings): Promise<Partial<Client>> {
  const { users = [], usersFile } = settings.signIn ?? {};
  const { readTomcatUsers } = await import('../../features/sign-in/users.ts');
  const all = [...users, ...(usersFile === undefined ? [] : readTomcatUsers(usersFile))];
  const user = all.find((one) => one.name === name);
  if (user === undefined) throw new UsageError(`--as user:${name}: the settings have no user of this name`);
  return { signedIn: { name, roles: user.roles } };
}

/** What one `--as` says of the caller. */
async function clientOf(text: string, settings: Settings): Promise<Partial<Client>> {
  if (text.startsWith('{')) return personOf(text, settings);
  if (text.startsWith('user:')) return userNamed(text.slice('user:'.length), settings);
  if (text.startsWith('role:')) return { roles: [text.slice('role:'.length)] };
  if (isIP(text) !== 0) return { address: text };
  throw new UsageError(`--as ${text}: must be an address, claims as JSON, user:NAME or role:NAME`);
}

/** What a signed link opens, or why it does not count. */
async function linkOf(text: string, { signedLinks }: Settings): Promise<Partial<Client> & { readonly said: string }> {
  if (signedLinks === undefined) throw new UsageError('--link: the settings have no signedLinks');
  const { createLinkKeys } = await import('../../features/signed-links/link-keys.ts');
  const { dateText, verifyLink } = await import('../../features/signed-links/link-tokens.ts');
  const { grantOf } = await import('../../features/signed-links/sent-links.ts');
  const token = /(?:^|[?&]link=)(eyJ[\w.-]*)/.exec(text)?.[1];
  if (token === undefined) throw new UsageError('--link: must be an address with link=eyJ…, or what follows it');
  try {
    const link = await verifyLink(token, await createLinkKeys(signedLinks.keysFile)(), Date.now());
    const { id, key, recipient, tier, paths, untilMs, address, isOnce } = link;
    const words = [
      `${id}, key ${key}${recipient === undefined ? '' : `, for ${recipient}`}, until ${dateText(untilMs - 1)}`,
      `opens ${paths.map((path) => formatIdentifier(path) || 'the whole library').join(', ')}`,
      ...(tier === undefined ? [] : [`in the tier ${tier}`]),
      ...(address === undefined ? [] : ['at one address alone']),
      ...(isOnce ? ['once'] : []),
    ];
    return { links: [grantOf(link)], said: words.join('; ') };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { linkFault: error.message, said: error.message };
  }
}

async function callerOf(
  given: readonly string[],
  link: Partial<Client> | undefined,
  settings: Settings,
  { access }: App,
): Promise<Caller> {
  const parts = await Promise.all(given.map((text) => clientOf(text, settings)));
  const roles = parts.flatMap((part) => part.roles ?? []);
  const client = Object.assign({ address: '' }, ...parts, link) as Client;
  return access.identify({ ...client, ...(roles.length > 0 && { roles }) });
}

/** The rules by path that hold for a path, from the root on. */
function rulesFor(path: string, { access }: Settings): readonly string[] {
  const names = parseIdentifier(path)?.segments ?? [];
  const isAround = (rule: string): boolean => {
    const folder = parseIdentifier(rule)?.segments ?? [];
    return folder.every((name, index) => name.toLowerCase() === names[index]?.toLowerCase());
  };
  return (access?.paths ?? [])
    .filter((rule) => isAround(rule.path))
    .map(({ path: at, ...grants }) => `${at === '' ? 'the whole library' : at}: ${grantsText(grants)}`);
}

function grantsText({ roles, tiers = [], everyone, until }: Grants): string {
  const lesser = [
    ...tiers.map(({ tier, roles: others }) => `${tier} for ${listOf(others)}`),
    ...(everyone === undefined ? [] : [`${everyone} for everyone`]),
  ];
  return [listOf(roles), ...lesser, ...(until === undefined ? [] : [`until ${until}`])].join(', ');
}

const listOf = (roles: Iterable<string>): string => [...roles].join(', ') || 'nobody';

type Verdict =
  | { readonly isAllowed: true; readonly image?: Admitted<ImageSet> }
  | { readonly isAllowed: false; readonly error: ImageError };

/** Whether all of the image, or which tier of it. */
function extentOf(image: Admitted<ImageSet> | undefined): string {
  if (image?.terms === undefined) return 'yes';
  const { width, height } = highest(image);
  return `yes, in the tier ${image.terms.tier.name}: ${width} x ${height} pixels`;
}

/** What lies on an image for the caller, in pixels of the whole; undefined where nothing does. */
function coversOf(image: Admitted<ImageSet> | undefined): string | undefined {
  if (image?.covers === undefined) return undefined;
  const { redactions, ofOtherPages, watermark } = image.covers;
  const places = redactions.map(({ x, y, width, height }) => `${x},${y},${width},${height}`);
  return [
    ...(places.length > 0 ? [`redacted at ${places.join(' and ')}`] : []),
    ...(ofOtherPages ? ['redactions of other pages of the file'] : []),
    ...(watermark ? [`a watermark, ${watermark.place}`] : []),
  ].join('; ');
}

async function verdictOn(path: string, caller: Caller, { admission }: App): Promise<Verdict> {
  try {
    const { name } = await admission.admitFolderShowing(path, caller);
    if (name === undefined) return { isAllowed: true };
    return { isAllowed: true, image: await admission.admit(path, 1, caller) };
  } catch (error) {
    if (error instanceof ImageError) return { isAllowed: false, error };
    throw error;
  }
}

export async function explainAccess(
  path: string,
  folders: readonly string[],
  flags: ExplainAccessFlags,
): Promise<number> {
  const { settings } = await configurationOf(folders, flags);
  const app = await createApp({ ...settings, render: { ...settings.render, processes: 0 } }, pino({ level: 'silent' }));
  try {
    const link = flags.link === undefined ? undefined : await linkOf(flags.link, settings);
    const caller = await callerOf(flags.as ?? [], link, settings, app);
    const verdict = await verdictOn(path, caller, app);
    const rules = rulesFor(path, settings);
    console.log(`roles   ${printable([...caller.roles].join(', ') || 'none')}`);
    if (link !== undefined) console.log(`link    ${printable(link.said)}`);
    console.log(`rules   ${printable(rules.join('; ') || 'none by path')}`);
    const said = verdict.isAllowed
      ? extentOf(verdict.image)
      : `no: ${verdict.error.message} (${statusOf(verdict.error)})`;
    console.log(`access  ${printable(said)}`);
    const covers = coversOf(verdict.isAllowed ? verdict.image : undefined);
    if (covers !== undefined) console.log(`covers  ${covers}`);
    return verdict.isAllowed ? 0 : 1;
  } finally {
    await app.server.close();
  }
}

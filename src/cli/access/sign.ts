/** Runs `lectern sign`: makes a signed link, or a key of links. */
import { pino } from 'pino';
import { createApp } from '../../app/app.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { createLinkKeys, keyNameForm, newKeyLine } from '../../features/signed-links/link-keys.ts';
import { dateText } from '../../features/signed-links/link-tokens.ts';
import { recipientForm } from '../../features/signed-links/links-route.ts';
import { type LinkRequest, type MadeLink, makeLink } from '../../features/signed-links/make-link.ts';
import { configurationOf } from '../common/command-configuration.ts';
import type { Flags } from '../common/settings-flags.ts';
import { printable } from '../common/text.ts';
import { UsageError } from '../common/usage-error.ts';

export interface SignFlags extends Flags, Omit<LinkRequest, 'subject' | 'until'> {
  readonly until?: string;
  readonly newKey?: string;
}

/** The first line is the link; what it opens is for whoever made it. */
function print({ link, address }: MadeLink, base: string): void {
  const { id, key, untilMs, tier, recipient, isOnce, paths } = link;
  console.log(printable(base + address));
  const opens =
    link.address === undefined ? `“${paths[0]?.segments.join('/') || 'the whole library'}”` : 'this address alone';
  const words = [
    `opens ${opens}${tier === undefined ? '' : `, in the tier ${tier}`}`,
    ...(recipient === undefined ? [] : [`for ${recipient}`]),
    `until ${dateText(untilMs - 1)}`,
    ...(isOnce ? ['once'] : []),
  ];
  console.error(printable(`lectern: ${words.join(', ')}; key ${key}, id ${id}`));
}

function printNewKey(name: string): number {
  if (!keyNameForm.test(name) || name === 'revoked')
    throw new UsageError(`--new-key ${name}: must be a name of letters, digits, dots and hyphens`);
  console.log(newKeyLine(name));
  return 0;
}

/** Gives the exit code: 0, or 1 where there is nothing to link to. */
export async function sign(
  subject: string | undefined,
  folders: readonly string[],
  { newKey, until, tier, for: recipient, original, once, key, ...flags }: SignFlags,
): Promise<number> {
  if (newKey !== undefined) return printNewKey(newKey);
  if (subject === undefined || until === undefined)
    throw new UsageError('name what the link opens, and with --until how long');
  if (recipient !== undefined && !recipientForm.test(recipient)) throw new UsageError('--for: at most 200 characters');
  const { settings } = await configurationOf(folders, flags);
  const { signedLinks, http, iiif } = settings;
  if (signedLinks === undefined)
    throw new UsageError('the settings have no signedLinks.keysFile, which lectern sign --new-key NAME begins');
  const app = await createApp({ ...settings, render: { ...settings.render, processes: 0 } }, pino({ level: 'silent' }));
  try {
    const base = `${http.publicAddress ?? ''}${http.contextPath}/`;
    const made = await makeLink(
      { subject, until, tier, for: recipient, original, once, key },
      'site',
      [...new Set([base, `${http.contextPath}/`])],
      {
        library: app.library,
        access: app.access,
        keys: createLinkKeys(signedLinks.keysFile),
        maxDays: signedLinks.maxDays,
        iiifSlash: iiif.slash,
        canCount: signedLinks.usedFolder !== undefined || settings.redis !== undefined,
      },
    );
    if (http.publicAddress === undefined)
      console.error('lectern: the settings have no http.publicAddress; put the address of the server before the link');
    print(made, base);
    return 0;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    if (error.code !== 'not-found') throw new UsageError(error.message);
    console.error(`lectern: ${error.message}`);
    return 1;
  } finally {
    await app.server.close();
  }
}

/** Opens the rules of access, and logs those that protect nothing. */
import type { Logger } from 'pino';
import { readMark } from '../config/files/mark-file.ts';
import { SettingsError } from '../config/settings-error.ts';
import { idleRules } from '../core/access/idle-rules.ts';
import { type Access, openAccess as accessWithoutRules, createAccess } from '../core/access/policy.ts';
import type { VerifyToken } from '../core/access/verdict.ts';
import type { Mark, Watermark } from '../core/image/model/covers.ts';
import type { Tier } from '../core/image/model/tier.ts';
import type { Library } from '../core/library/library.ts';
import type { Settings } from './settings/settings.ts';

type AccessSettings = NonNullable<Settings['access']>;
type WatermarkSettings = NonNullable<AccessSettings['tiers'][number]['watermark']>;

/** Only sites with rules for tokens load what verifies them. */
async function tokenVerifier({ tokens, claims }: AccessSettings, logger: Logger): Promise<VerifyToken | undefined> {
  if (tokens.length === 0) return undefined;
  const { createTokenVerifier } = await import('../core/access/tokens.ts');
  return createTokenVerifier(tokens, { claims, onFault: (message) => logger.warn(message) });
}

/** The mark as it is drawn. Throws an error with a sentence where it can’t be. */
async function markOf({ picture, text = '' }: WatermarkSettings): Promise<Mark> {
  // Only sites with watermarks load what draws them.
  const { pictureMark, textMark } = await import('../core/render/covers/marks.ts');
  if (picture === undefined) return textMark(text);
  const found = readMark(picture);
  if ('problem' in found) throw new Error(found.problem);
  return pictureMark(found.bytes);
}

/** Rejects with SettingsError where its mark can’t be drawn: its file has changed, or no font has a character. */
async function watermarkOf(watermark: WatermarkSettings): Promise<Watermark> {
  const { picture: _picture, text: _text, ...rest } = watermark;
  try {
    return { ...rest, mark: await markOf(watermark) };
  } catch (error) {
    throw new SettingsError([`access: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

const tierOf = async ({ watermark, ...tier }: AccessSettings['tiers'][number]): Promise<Tier> => ({
  ...tier,
  ...(watermark && { watermark: await watermarkOf(watermark) }),
});

/** Rejects with SettingsError for a rule that can match nothing, whatever the library holds. */
export async function openAccess({ access: rules, signIn }: Settings, logger: Logger): Promise<Access> {
  if (rules === undefined) return accessWithoutRules;
  const givesRoles = signIn !== undefined || rules.rolesHeader !== undefined;
  try {
    const tiers = await Promise.all(rules.tiers.map(tierOf));
    return createAccess({ ...rules, tiers, givesRoles }, await tokenVerifier(rules, logger));
  } catch (error) {
    if (error instanceof TypeError) throw new SettingsError([`access: ${error.message}`]);
    throw error;
  }
}

export async function logIdleRules(rules: Settings['access'], library: Library, logger: Logger): Promise<void> {
  if (rules === undefined) return;
  const { paths, types } = rules;
  if (paths.length + types.length === 0)
    logger.warn('there are settings of access, but no rule by path or type: everything is open to everyone');
  const names = paths.map(({ path }) => path);
  for (const path of await idleRules(names, library))
    logger.warn({ path }, 'a rule of access names a path at which there is nothing');
}

/** Opens the rules of access, and logs those that protect nothing. */
import type { Logger } from 'pino';
import { SettingsError } from '../config/settings-error.ts';
import { idleRules } from '../core/access/idle-rules.ts';
import { type Access, openAccess as accessWithoutRules, createAccess } from '../core/access/policy.ts';
import type { VerifyToken } from '../core/access/verdict.ts';
import type { Library } from '../core/library/library.ts';
import type { Settings } from './settings/settings.ts';

type AccessSettings = NonNullable<Settings['access']>;

/** Only sites with rules for tokens load what verifies them. */
async function tokenVerifier({ tokens, claims }: AccessSettings, logger: Logger): Promise<VerifyToken | undefined> {
  if (tokens.length === 0) return undefined;
  const { createTokenVerifier } = await import('../core/access/tokens.ts');
  return createTokenVerifier(tokens, { claims, onFault: (message) => logger.warn(message) });
}

/** Rejects with SettingsError for a rule that can match nothing, whatever the library holds. */
export async function openAccess(rules: Settings['access'], logger: Logger): Promise<Access> {
  if (rules === undefined) return accessWithoutRules;
  try {
    return createAccess(rules, await tokenVerifier(rules, logger));
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

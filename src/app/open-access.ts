/** Opens the rules of access, and logs those that protect nothing. */
import type { Logger } from 'pino';
import { type Access, openAccess as accessWithoutRules, createAccess } from '../access/access.ts';
import type { Settings } from '../config/settings.ts';
import { SettingsError } from '../config/settings-error.ts';
import type { Library } from '../library/library.ts';
import { idleRules } from '../service/idle-rules.ts';

/** Throws SettingsError for a rule that can match nothing, whatever the library holds. */
export function openAccess(rules: Settings['access'], logger: Logger): Access {
  if (rules === undefined) return accessWithoutRules;
  try {
    return createAccess(rules, { onFault: (message) => logger.warn(message) });
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

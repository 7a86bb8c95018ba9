/** Rules, callers and identifiers for the tests of access. */
import { type Access, type AccessRules, type Caller, createAccess } from '../../../../src/core/access/policy.ts';
import { type Identifier, parseIdentifier } from '../../../../src/core/image/model/identifier.ts';

export function identifierOf(path: string): Identifier {
  const identifier = parseIdentifier(path);
  if (identifier === undefined) throw new Error(`${path} names nothing`);
  return identifier;
}

export const callerWith = (...roles: readonly string[]): Caller => ({ roles: new Set(roles), authenticated: true });

export const noRules: AccessRules = { addresses: [], tokens: [], paths: [], types: [] };

/** Access by these rules, none of which is for tokens. */
export const accessBy = (rules: Partial<Omit<AccessRules, 'tokens'>>): Access => createAccess({ ...noRules, ...rules });

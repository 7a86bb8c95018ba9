/** Which roles an access type from metadata asks for (digilib.md, section 7). */
import { unreadableAccess } from '../image/model/image-metadata.ts';
import { joinRoles, type Need } from './needs.ts';

/** An access type such as `group:mpiwg` that needs one of the roles; `default` stands for every type without a rule, and for none. */
export interface TypeRule {
  readonly type: string;
  readonly roles: readonly string[];
}

const nobody: Need = [];

/**
 * What an access type asks for. Without any rule, types don’t matter. A type that no rule names is closed where there is no
 * `default`: the metadata says that the image is restricted, and nobody is named who may see it. What can't be read is closed
 * in any case.
 */
export function createTypeNeeds(rules: readonly TypeRule[]): (type: string | undefined) => Need {
  if (rules.length === 0) return () => undefined;
  const needs = new Map<string, readonly string[]>();
  for (const { type, roles } of rules) needs.set(type, joinRoles(needs.get(type), roles));
  const otherwise = needs.get('default');
  return (type) => {
    if (type === 'free') return undefined;
    if (type === unreadableAccess) return nobody;
    return type === undefined ? otherwise : (needs.get(type) ?? otherwise ?? nobody);
  };
}

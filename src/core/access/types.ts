/** The roles that an access type from metadata needs (digilib.md, section 7). */
import { unreadableAccess } from '../image/model/image-metadata.ts';
import { joinRoles, type Need } from './needs.ts';

/** An access type such as `group:mpiwg` needs one of the roles; `default` is for every type without a rule, and for none. */
export interface TypeRule {
  readonly type: string;
  readonly roles: readonly string[];
}

const nobody: Need = [];

/**
 * Returns the need of an access type. Without any rules, types have no effect. Without a `default`, a type that no rule names
 * is closed: the metadata restricts the image, and no rule says who may see it. Unreadable metadata is always closed.
 */
export function createTypeNeeds(rules: readonly TypeRule[]): (type: string | undefined) => Need {
  if (rules.length === 0) return () => undefined;
  const needs = new Map<string, readonly string[]>();
  for (const { type, roles } of rules) needs.set(type, joinRoles(needs.get(type), roles));
  const byDefault = needs.get('default');
  return (type) => {
    if (type === 'free') return undefined;
    if (type === unreadableAccess) return nobody;
    return type === undefined ? byDefault : (needs.get(type) ?? byDefault ?? nobody);
  };
}

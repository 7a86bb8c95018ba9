/** What something asks of those who want to see it: one of several roles, nothing, or what nobody has. */

/** Roles of which a caller needs one: undefined where everyone may see it, empty where nobody may. */
export type Need = readonly string[] | undefined;

/** Whether a caller with these roles has what is needed. */
export function isMet(need: Need, roles: ReadonlySet<string>): boolean {
  if (need === undefined) return true;
  for (const role of need) if (roles.has(role)) return true;
  return false;
}

/** The roles of two rules about the same thing: any of either will do, and “nobody” stays nobody. */
export function joinRoles(known: Need, more: readonly string[]): readonly string[] {
  if (known === undefined) return more;
  return known.length === 0 || more.length === 0 ? [] : [...new Set([...known, ...more])];
}

/** The roles that a path or an access type needs. */

/** A caller needs one of these roles; undefined where everyone may see it, empty where nobody may. */
export type Need = readonly string[] | undefined;

/** Whether a caller with these roles meets the need. */
export function isMet(need: Need, roles: ReadonlySet<string>): boolean {
  if (need === undefined) return true;
  for (const role of need) if (roles.has(role)) return true;
  return false;
}

/** The need of two rules for the same path or type: any role of either meets it, but “nobody” remains nobody. */
export function joinRoles(own: Need, more: readonly string[]): readonly string[] {
  if (own === undefined) return more;
  return own.length === 0 || more.length === 0 ? [] : [...new Set([...own, ...more])];
}

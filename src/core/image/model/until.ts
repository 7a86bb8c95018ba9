/** Dates until which something holds, as settings and metadata have them: a year, a month or a day. */

const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/**
 * The end of the year, month or day that a text names, as ISO 8601 writes them (`2061`, `2061-07`, `2061-07-31`): what holds until then
 * holds through it, and no longer at this moment. In ms since 1970, by UTC. Undefined for any other text.
 */
export function endOfUntil(text: string): number | undefined {
  const [matched, year, month = '12', day] = form.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const [first, last] = [Number(month) - 1, day === undefined ? 1 : Number(day)];
  const at = new Date(0);
  at.setUTCFullYear(Number(year), first, last);
  // A month or a day that there is not leads into the next one.
  if (at.getUTCMonth() !== first || at.getUTCDate() !== last) return undefined;
  return day === undefined ? at.setUTCMonth(first + 1) : at.setUTCDate(last + 1);
}

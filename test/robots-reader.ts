/** Reads `robots.txt` as crawlers do (RFC 9309, section 2.2), so that tests can ask which addresses a robot may visit. */

interface Group {
  readonly names: readonly string[];
  readonly rules: readonly (readonly [kind: string, pattern: string])[];
}

function groupsIn(text: string): readonly Group[] {
  const groups: { names: string[]; rules: [string, string][] }[] = [];
  let isNaming = false;
  for (const line of text.split('\n')) {
    const [, field = '', value = ''] = /^([A-Za-z-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    const kind = field.toLowerCase();
    if (kind === 'user-agent') {
      if (!isNaming) groups.push({ names: [], rules: [] });
      groups.at(-1)?.names.push(value.toLowerCase());
    } else if (kind === 'allow' || kind === 'disallow') groups.at(-1)?.rules.push([kind, value]);
    isNaming = kind === 'user-agent' || (isNaming && kind === '');
  }
  return groups;
}

/** A pattern, in which `*` stands for any characters and `$` for the end. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/\$$/, '\u0000')
      .replace(/[.+?^{}()|[\]\\$]/g, '\\$&')
      .replaceAll('*', '.*')
      .replace('\u0000', '$')}`,
  );

/** Whether a robot may visit a path with its query: the longest rule that matches holds, and of equal ones that which allows. */
export function mayVisit(robots: string, robot: string, address: string): boolean {
  const groups = groupsIn(robots);
  const own = groups.filter(({ names }) => names.includes(robot.toLowerCase()));
  const rules = (own.length > 0 ? own : groups.filter(({ names }) => names.includes('*'))).flatMap((one) => one.rules);
  const matching = rules.filter(([, pattern]) => pattern !== '' && expressionOf(pattern).test(address));
  const longest = Math.max(...matching.map(([, pattern]) => pattern.length));
  const strongest = matching.filter(([, pattern]) => pattern.length === longest);
  return strongest.length === 0 || strongest.some(([kind]) => kind === 'allow');
}

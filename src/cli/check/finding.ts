/** The findings of checks: good, bad with advice, or a note. */

export type Finding =
  | { readonly outcome: 'good'; readonly name: string; readonly found: string }
  /** Something does not work; the advice says what to do. */
  | { readonly outcome: 'bad'; readonly name: string; readonly found: string; readonly advice: string }
  /** Nothing is broken, or it could not be tested. */
  | { readonly outcome: 'note'; readonly name: string; readonly found: string };

export const good = (name: string, found: string): Finding => ({ outcome: 'good', name, found });
export const bad = (name: string, found: string, advice: string): Finding => ({ outcome: 'bad', name, found, advice });
export const note = (name: string, found: string): Finding => ({ outcome: 'note', name, found });

const marks: Readonly<Record<Finding['outcome'], string>> = { good: '✓', bad: '✗', note: '–' };

/** A text from a server on one line, at most 200 characters, without control characters. */
export function printable(text: string): string {
  const plain = text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ');
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}

/** The lines that are printed of a finding. */
export function formatFinding(finding: Finding): readonly string[] {
  const line = `${marks[finding.outcome]} ${finding.name}: ${printable(finding.found)}`;
  return finding.outcome === 'bad' ? [line, `    ${finding.advice}`] : [line];
}

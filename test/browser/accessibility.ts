/** Looks for faults in accessibility on the page that is open, by axe. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** The rules of WCAG 2.2, levels A and AA, and what else axe holds to be good, by axe's tags. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The rules that the page breaks, a line for each place. None for a page that everybody can use, as far as axe can tell. */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  // The page's policy refuses scripts that it does not serve; what the browser is told to evaluate is none of its.
  await page.evaluate(source);
  const result = await page.evaluate(async (values): Promise<AxeResult> => {
    // Colors on their way from one to another would be measured as neither.
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    const axe = (globalThis as unknown as { axe: { run(where: Document, options: object): Promise<AxeResult> } }).axe;
    return axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] });
  }, tags);
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
  );
}

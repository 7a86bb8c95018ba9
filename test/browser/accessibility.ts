/** Checks the accessibility of an open page with axe. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** axe's tags for the rules of WCAG 2.2, levels A and AA, and for best practices. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules that depend on colors alone, for a page whose colors have changed since all rules were checked. */
export const colorRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The rules that the page violates, of all or of some, a text for each element; empty if axe finds nothing. */
export async function accessibilityViolations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // The page's policy refuses foreign scripts, but does not apply to scripts that the browser evaluates directly.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const result = await page.evaluate(
    async (runOnly): Promise<AxeResult> => {
      // Transitions would be measured with intermediate colors.
      await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
      const axe = (globalThis as unknown as { axe: { run(where: Document, options: object): Promise<AxeResult> } }).axe;
      return axe.run(document, { runOnly, resultTypes: ['violations'] });
    },
    rules === undefined ? { type: 'tag', values: tags } : { type: 'rule', values: rules },
  );
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
  );
}

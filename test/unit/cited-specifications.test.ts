/** Comments cite documentation by page and section: each cited page, section, heading and rule exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sourceFolders = ['src', 'web/src', 'test', 'bench', 'scripts'];
const pageFolders = ['docs/spec', 'docs', 'bench', '.'];

interface Citation {
  readonly page: string;
  readonly sections: readonly string[];
  /** Quoted headings, each with the number of a list item below it if the citation names one. */
  readonly headings: readonly (readonly [string, string | undefined])[];
  readonly rules: readonly string[];
}

/** Comments as one line each, without the stars of their lines. */
const commentsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm)].map(([comment]) => comment.replace(/\s*\n\s*\*?\s*/g, ' '));

/** Citations in a comment: `page.md`, then sections, quoted headings and rules up to the end of the sentence or parenthesis. */
function citationsIn(comment: string): readonly Citation[] {
  return [...comment.matchAll(/([\w/-]+)\.md\b([^)]*?)(?=\)|\. |\*\/|$)/g)].map(([, page = '', rest = '']) => ({
    page,
    sections: [...rest.matchAll(/sections? ([\d.]*\d)(?: and ([\d.]*\d))?/g)].flatMap(([, first = '', second]) =>
      second === undefined ? [first] : [first, second],
    ),
    headings: [...rest.matchAll(/["“`]([^"”`]+)["”`](?:, (\d+))?/g)].map(([, heading = '', item]) => [heading, item]),
    rules: [...rest.matchAll(/rule (\d+)/g)].map(([, rule = '']) => rule),
  }));
}

const hasItem = (text: string, item: string): boolean => new RegExp(`^${item}\\. `, 'm').test(text);

/** The text of a page below a heading, up to the next heading; undefined if there is no such heading or bold term. */
function textBelow(heading: string, page: string): string | undefined {
  const parts = page.split(/^(?=#+ )/m);
  const whole = parts.find((part) => (part.split('\n')[0] ?? '').replace(/^#+ /, '') === heading);
  return whole ?? (page.includes(`**${heading}**`) || page.includes(`| \`${heading}\` `) ? '' : undefined);
}

/** What is wrong with a citation; empty if all that it names exists. */
function faultsOf({ page, sections, headings, rules }: Citation): readonly string[] {
  const file = pageFolders
    .map((folder) => path.join(root, folder, `${page}.md`))
    .find((candidate) => existsSync(candidate));
  if (file === undefined) return [`there is no page ${page}.md`];
  const text = readFileSync(file, 'utf8');
  return [
    ...sections
      .filter((section) => !new RegExp(`^#+ ${section.replaceAll('.', '\\.')}\\.? `, 'm').test(text))
      .map((section) => `${page}.md has no section ${section}`),
    ...headings.flatMap(([heading, item]) => {
      const below = textBelow(heading, text);
      if (below === undefined) return [`${page}.md has no heading “${heading}”`];
      return item === undefined || hasItem(below, item) ? [] : [`${page}.md, “${heading}” has no item ${item}`];
    }),
    ...rules.filter((rule) => !hasItem(text, rule)).map((rule) => `${page}.md has no rule ${rule}`),
  ];
}

const cited = sourceFolders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|mjs|cjs)$/.test(file) && !import.meta.url.endsWith(file))
    .flatMap((file) =>
      commentsIn(readFileSync(path.join(root, folder, file), 'utf8'))
        .flatMap(citationsIn)
        .map((citation) => ({ file: path.join(folder, file), citation })),
    ),
);

describe('citations of specifications', () => {
  it('are found', () => expect(cited.length).toBeGreaterThan(60));

  it('name pages, sections, headings and rules that exist', () => {
    const faults = cited.flatMap(({ file, citation }) => faultsOf(citation).map((fault) => `${file}: ${fault}`));
    expect(faults).toEqual([]);
  });

  const wrong = [
    ['a missing page', '/** (no-such-page.md, section 1) */', 'there is no page no-such-page.md'],
    ['a missing section', '/** (digilib.md, sections 1 and 12) */', 'digilib.md has no section 12'],
    ['a missing heading', '// See digilib.md, "Colors".', 'digilib.md has no heading “Colors”'],
    ['a missing item', '/** (digilib.md, "Where we differ", 99) */', 'digilib.md, “Where we differ” has no item 99'],
    ['a missing rule', '/** (info-endpoint.md, section 2.1,\n * rule 9) */', 'info-endpoint.md has no rule 9'],
  ] as const;

  it.each(wrong)('are refused for %s', (_, comment, fault) => {
    expect(commentsIn(comment).flatMap(citationsIn).flatMap(faultsOf)).toEqual([fault]);
  });
});

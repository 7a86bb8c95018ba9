// @module-tag chromium
/** Each recipe of a fetched IIIF cookbook in the reading room; what it asks, how it is shown and whether it is become a table. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, problemsOf, type TestBrowser } from '../browser/browser.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { cookbookRecipes, cookbookVersion } from './cookbook-files.ts';
import { type CookbookHost, startCookbookHost } from './cookbook-host.ts';
import { OpenedRecipe } from './opened-recipe.ts';
import type { Recipes } from './recipe.ts';
import { annotationRecipes } from './recipes/annotations.ts';
import { bookRecipes } from './recipes/books.ts';
import { collectionRecipes } from './recipes/collections.ts';
import { descriptionRecipes } from './recipes/descriptions.ts';
import { imageRecipes } from './recipes/images.ts';
import { mediaRecipes } from './recipes/media.ts';

const recipes: Recipes = {
  ...imageRecipes,
  ...descriptionRecipes,
  ...bookRecipes,
  ...annotationRecipes,
  ...collectionRecipes,
  ...mediaRecipes,
};

/** Recipes that ask nothing of a viewer, by their numbers. */
const withoutViewing: Readonly<Record<string, string>> = {
  '0000': 'the template for new recipes, with an empty manifest',
  '0231': 'compares ways to publish transcripts, without a manifest: see 0017, 0068, 0074 and 0219',
};

const titles = cookbookRecipes();
const folders = Object.keys(recipes).toSorted();
const numberOf = (folder: string): string => folder.slice(0, 4);
const passed = new Set<string>();

let host: CookbookHost;
let app: RunningApp;
let browser: TestBrowser;
let page: Page | undefined;

beforeAll(async () => {
  host = await startCookbookHost();
  app = await startApp({ readingRoom: { manifests: [host.url] } });
  browser = await openBrowser();
});
afterEach(async () => {
  await page?.context().close();
  page = undefined;
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await host?.close();
  writeTable();
});

describe('a recipe of the cookbook is shown as it asks', () => {
  it.each(folders)('%s', async (folder) => {
    const recipe = recipes[folder];
    if (recipe === undefined) throw new Error(`There is no assertion for ${folder}`);
    page = await browser.newPage({ locale: recipe.locale ?? 'en', viewport: { width: 1280, height: 860 } });
    page.setDefaultTimeout(15_000);
    const problems = problemsOf(page);
    await recipe.check(new OpenedRecipe({ page, app, host, folder }));
    expect(problems).toEqual([]);
    passed.add(folder);
  });

  it('and every one of them is here, or has a reason why not', () => {
    const known = [...folders.map(numberOf), ...Object.keys(withoutViewing)];
    expect([...titles.keys()].filter((number) => !known.includes(number))).toEqual([]);
  });
});

/** A row of Markdown. */
const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function writeTable(): void {
  const file = process.env['LECTERN_COOKBOOK_TABLE'];
  if (file === undefined) return;
  const rows = folders.map((folder) => {
    const { asks = '', shown = '' } = recipes[folder] ?? {};
    return row(
      `${numberOf(folder)} ${titles.get(numberOf(folder)) ?? ''}`,
      asks,
      shown,
      passed.has(folder) ? 'yes' : '**no**',
    );
  });
  const others = Object.entries(withoutViewing).map(
    ([number, why]) => `- ${number} ${titles.get(number) ?? ''}: ${why}.`,
  );
  const lines = [
    `Commit ${cookbookVersion()}: ${passed.size} of ${folders.length} recipes pass.`,
    '',
    row('Recipe', 'What it asks', 'How it is shown', 'Passes'),
    row('---', '---', '---', '---'),
    ...rows,
    '',
    'Not about viewing:',
    '',
    ...others,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
}

/** Guided views: a chain of views with texts, as files beside scans have it, and the part of a page that a view shows. */
import type { LanguageMap } from '../folder/folder-metadata.ts';
import type { Rect } from '../model/geometry.ts';

/** How the names of files with guided views end. */
export const tourEnding = '.tour.json';

export const tourType = 'lectern-tour';

export interface TourStep {
  /** The path of the page inside the library; with two slashes before it, of a page of another host as the reading room names it. */
  readonly page: string;
  /** The parameters of its view as addresses of the reading room have them; empty for the whole page as it is. */
  readonly view: string;
  readonly title: LanguageMap;
  /** Plain text; line breaks count. */
  readonly text: LanguageMap;
}

export interface Tour {
  readonly title: LanguageMap;
  readonly summary: LanguageMap;
  readonly steps: readonly TourStep[];
}

/** What a file may have; a longer text is cut, and steps beyond the bound are left out. */
export const tourLimits = {
  bytes: 1024 * 1024,
  steps: 500,
  title: 500,
  text: 20_000,
  view: 4000,
  languages: 30,
} as const;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const languageForm = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;

function paragraphsOf(value: unknown, limit: number): string {
  const parts = Array.isArray(value) ? value : [value];
  const text = parts.filter((part) => typeof part === 'string').join('\n');
  return text.replaceAll('\r\n', '\n').trim().slice(0, limit);
}

/** A text alone, or one for each language: a text or its paragraphs. */
function textsOf(value: unknown, limit: number): LanguageMap {
  const pairs: readonly (readonly [string, unknown])[] = isObject(value) ? Object.entries(value) : [['none', value]];
  const read = pairs
    .slice(0, tourLimits.languages)
    .filter(([language]) => languageForm.test(language))
    .map(([language, one]) => [language, paragraphsOf(one, limit)] as const);
  return Object.fromEntries(read.filter(([, text]) => text !== '').map(([language, text]) => [language, [text]]));
}

/** The path inside the library: of a name beside the file, or behind a slash from the root of the library on. */
function pathOf(page: string, folder: string): string {
  if (page.startsWith('/')) return page.startsWith('//') ? page : page.slice(1);
  return folder === '' ? page : `${folder}/${page}`;
}

function stepOf(value: unknown, folder: string): readonly TourStep[] {
  if (!isObject(value)) return [];
  const { page, view } = value;
  if (typeof page !== 'string' || page.trim() === '' || page.length > tourLimits.view) return [];
  const parameters = typeof view === 'string' && view.length <= tourLimits.view ? view.replace(/^\?/, '') : '';
  return [
    {
      page: pathOf(page.trim(), folder),
      view: parameters,
      title: textsOf(value['title'], tourLimits.title),
      text: textsOf(value['text'], tourLimits.text),
    },
  ];
}

/**
 * Reads guided views. Pages without a slash at their beginning are in `folder`, where the file lies; without it, in the folder that
 * the file names. Undefined for what has no step.
 */
export function parseTour(json: unknown, folder?: string): Tour | undefined {
  if (!isObject(json) || !Array.isArray(json['steps'])) return undefined;
  const named = typeof json['folder'] === 'string' ? json['folder'] : '';
  const steps = json['steps'].slice(0, tourLimits.steps).flatMap((step) => stepOf(step, folder ?? named));
  if (steps.length === 0) return undefined;
  return {
    title: textsOf(json['title'], tourLimits.title),
    summary: textsOf(json['summary'], tourLimits.text),
    steps,
  };
}

/** A text alone where it has no language. */
function writtenText(text: LanguageMap): object | string {
  const pairs = Object.entries(text).map(([language, parts]) => [language, parts.join('\n')] as const);
  const [first] = pairs;
  return first !== undefined && pairs.length === 1 && first[0] === 'none' ? first[1] : Object.fromEntries(pairs);
}

const textMember = (name: string, text: LanguageMap): object =>
  Object.keys(text).length === 0 ? {} : { [name]: writtenText(text) };

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/** The folder that most pages of guided views lie in, where the file belongs. */
export function folderOfTour({ steps }: Tour): string {
  const counts = new Map<string, number>();
  for (const { page } of steps)
    if (!page.startsWith('//')) counts.set(folderOf(page), (counts.get(folderOf(page)) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? '';
}

function pageIn(page: string, folder: string): string {
  if (page.startsWith('//')) return page;
  return folderOf(page) === folder ? page.slice(folder === '' ? 0 : folder.length + 1) : `/${page}`;
}

/** Guided views as JSON for a file in the folder of most of its pages, which can be moved with it; `parseTour` reads it back. */
export function formatTour(tour: Tour, folder = folderOfTour(tour)): object {
  return {
    type: tourType,
    version: 1,
    ...(folder === '' ? {} : { folder }),
    ...textMember('title', tour.title),
    ...textMember('summary', tour.summary),
    steps: tour.steps.map(({ page, view, title, text }) => ({
      page: pageIn(page, folder),
      ...(view === '' ? {} : { view }),
      ...textMember('title', title),
      ...textMember('text', text),
    })),
  };
}

const numberOf = (values: URLSearchParams, name: string, byDefault: number): number => {
  const text = values.get(name) ?? '';
  return /^\s*-?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(text) ? Number(text) : byDefault;
};

/** The part of the page that a view shows, in fractions of its image; undefined for all of it, and where a window determines it. */
export function partOfView(view: string): Rect | undefined {
  const values = new URLSearchParams(view);
  if (/(?:^|,)\s*(?:clip|osize)\s*(?:,|$)/.test(values.get('mo') ?? '')) return undefined;
  const within = (value: number): number => Math.min(Math.max(value, 0), 1);
  const [x, y] = [numberOf(values, 'wx', 0), numberOf(values, 'wy', 0)];
  const [right, bottom] = [x + numberOf(values, 'ww', 1), y + numberOf(values, 'wh', 1)];
  const [left, top] = [within(x), within(y)];
  const [width, height] = [within(right) - left, within(bottom) - top];
  if (width <= 0 || height <= 0 || (width === 1 && height === 1)) return undefined;
  return { x: left, y: top, width, height };
}

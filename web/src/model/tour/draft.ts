/** Guided views while they are made: kept in the browser, changed step by step, with texts in any language. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { formatTour, parseTour, type Tour, type TourStep } from '../../../../src/core/image/tour/tour.ts';
import { memberOf, textOf } from '../json-value.ts';

export interface Draft {
  /** Unique in the browser. */
  readonly id: string;
  readonly tour: Tour;
}

export const emptyTour: Tour = { title: {}, summary: {}, steps: [] };

/** How texts are kept that are in no language in particular. */
export const noLanguage = 'none';

/** The most drafts that a browser keeps. */
const maxDrafts = 100;

/** Reads what was stored; what is malformed is left out. */
export const readDrafts = (value: unknown): readonly Draft[] =>
  (Array.isArray(value) ? value : []).slice(0, maxDrafts).flatMap((one) => {
    const id = textOf(memberOf(one, 'id'));
    // A draft may have no steps yet, which a file must have.
    const withTitle = parseTour({ title: memberOf(memberOf(one, 'tour'), 'title'), steps: [{ page: '-' }] }, '');
    const tour = parseTour(memberOf(one, 'tour'), '') ?? { ...emptyTour, title: withTitle?.title ?? {} };
    return id === '' ? [] : [{ id, tour }];
  });

/** As it is stored; `readDrafts` reads it back. */
export const storedDrafts = (drafts: readonly Draft[]): readonly object[] =>
  drafts.map(({ id, tour }) => ({ id, tour: formatTour(tour, '') }));

/** The text in a language; empty where it has none. */
export const textIn = (text: LanguageMap, language: string): string => (text[language] ?? []).join('\n');

/** The text with that of one language replaced. */
export function withText(text: LanguageMap, language: string, words: string): LanguageMap {
  const { [language]: _, ...others } = text;
  return words.trim() === '' ? others : { ...others, [language]: [words] };
}

/** All languages that guided views have texts in, in the order in which they first occur. */
export const languagesOf = ({ title, summary, steps }: Tour): readonly string[] => [
  ...new Set(
    [title, summary, ...steps.flatMap((step) => [step.title, step.text])].flatMap((text) => Object.keys(text)),
  ),
];

export const withStep = (tour: Tour, at: number, change: Partial<TourStep>): Tour => ({
  ...tour,
  steps: tour.steps.map((step, index) => (index === at ? { ...step, ...change } : step)),
});

export const withoutStep = (tour: Tour, at: number): Tour => ({
  ...tour,
  steps: tour.steps.filter((_, index) => index !== at),
});

/** The step at an index moved by one place; the same where there is none. */
export function withMovedStep(tour: Tour, at: number, by: 1 | -1): Tour {
  const steps = [...tour.steps];
  const [one, other] = [steps[at], steps[at + by]];
  if (one === undefined || other === undefined) return tour;
  steps[at] = other;
  steps[at + by] = one;
  return { ...tour, steps };
}

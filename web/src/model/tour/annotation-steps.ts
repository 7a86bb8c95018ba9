/** Guided views in annotations of others: each annotation in its order, with its title, its texts and what it is about. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { tourLimits } from '../../../../src/core/image/tour/tour.ts';
import { listOf, memberOf, textOf } from '../json-value.ts';
import { textsOf } from '../manifest/members.ts';
import { bodiesOf, itemsOf } from '../notes/annotation-reader.ts';
import { addressIn } from '../notes/annotation-target.ts';

export interface AnnotatedStep {
  /** The annotation itself, of which the canvas tells the part. */
  readonly annotation: unknown;
  /** The ids of its canvas, and of the manifest with it; empty where it does not say. */
  readonly canvas: string;
  readonly manifest: string;
  readonly title: LanguageMap;
  readonly text: LanguageMap;
  /** The address at which this reading room shows it; empty for annotations of others. */
  readonly via: string;
}

const languageOf = (body: unknown): string => textOf(memberOf(body, 'language')) || 'none';

/** The texts of its bodies by their languages, without markup. */
function textsByLanguage(annotation: unknown): LanguageMap {
  const bodies = listOf(
    memberOf(annotation, 'body') ?? memberOf(annotation, 'resource') ?? memberOf(annotation, 'bodyValue'),
  );
  const languages = [...new Set(bodies.map(languageOf))];
  const texts = languages.map((language) => {
    const { text } = bodiesOf({ body: bodies.filter((body) => languageOf(body) === language) });
    return [language, [text.trim().slice(0, tourLimits.text)]] as const;
  });
  return Object.fromEntries(texts.filter(([, [text]]) => text !== ''));
}

/** The texts without the title with which they begin, as this reading room writes them. */
const withoutTitle = (text: LanguageMap, title: LanguageMap): LanguageMap =>
  Object.fromEntries(
    Object.entries(text).flatMap(([language, [words = '']]) => {
      const head = title[language]?.[0];
      const rest =
        head !== undefined && (words === head || words.startsWith(`${head}\n`))
          ? words.slice(head.length).trim()
          : words;
      return rest === '' ? [] : [[language, [rest]]];
    }),
  );

const targetOf = (annotation: unknown): unknown =>
  listOf(memberOf(annotation, 'target') ?? memberOf(annotation, 'on'))[0];

/** The manifest that the target says its canvas is part of. */
function manifestOf(target: unknown): string {
  const around =
    memberOf(memberOf(target, 'source') ?? target, 'partOf') ??
    memberOf(memberOf(target, 'source') ?? target, 'within');
  const [parent] = listOf(around);
  return textOf(memberOf(parent, 'id') ?? memberOf(parent, '@id') ?? parent);
}

const isPainting = (annotation: unknown): boolean =>
  listOf(memberOf(annotation, 'motivation')).some((one) => /(?:^|:)painting$/.test(textOf(one)));

/** The annotations of a page, a collection or a list, as steps. */
export const annotatedSteps = (json: unknown): readonly AnnotatedStep[] =>
  itemsOf(json)
    .filter((annotation) => !isPainting(annotation))
    .slice(0, tourLimits.steps)
    .map((annotation) => {
      const target = targetOf(annotation);
      const title = textsOf(memberOf(annotation, 'label'));
      return {
        annotation,
        canvas: addressIn(target).source,
        manifest: manifestOf(target),
        title,
        text: withoutTitle(textsByLanguage(annotation), title),
        via: textOf(memberOf(annotation, 'via')),
      };
    });

/** Writes guided views as annotations in their order, which other viewers show (W3C Web Annotation, IIIF Presentation 3.0). */
import type { LanguageMap } from '../folder/folder-metadata.ts';
import type { Rect, Size } from '../model/geometry.ts';
import type { Tour, TourStep } from './tour.ts';

/** What a step is about. */
export interface StepTarget {
  /** The ids of its canvas and of the manifest with it. */
  readonly canvas: string;
  readonly manifest: string;
  /** In units of the canvas; undefined where it is not known. */
  readonly size: Size | undefined;
  /** The part of the canvas, in fractions of it. */
  readonly part: Rect;
  /** The address at which the reading room shows the step; undefined where there is none. */
  readonly address: string | undefined;
}

/** The addresses of what is written. */
export interface TourAddresses {
  readonly page: string;
  readonly collection: string;
}

const context = 'http://iiif.io/api/presentation/3/context.json';

const fragmentSyntax = 'http://www.w3.org/TR/media-frags/';

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** In units of the canvas, which all viewers read; in percent where its size is not known (Media Fragments 1.0, section 4.2.2). */
export function stepSelector({ part, size }: Pick<StepTarget, 'part' | 'size'>): object {
  const { width, height } = size ?? { width: 100, height: 100 };
  const box = [part.x * width, part.y * height, part.width * width, part.height * height].map(rounded);
  const value = `xywh=${size === undefined ? 'percent:' : ''}${box.join(',')}`;
  return { type: 'FragmentSelector', conformsTo: fragmentSyntax, value };
}

const inLanguage = (text: LanguageMap, language: string): string => (text[language] ?? []).join('\n');

/**
 * A body for each language: other viewers show the text of a body alone, so that it begins with the title, a blank line behind it. Empty
 * for a step without words.
 */
export function stepBodies({
  title,
  text,
}: Pick<TourStep, 'title' | 'text'>): readonly Readonly<Record<string, unknown>>[] {
  const languages = [...new Set([...Object.keys(title), ...Object.keys(text)])];
  return languages.map((language) => ({
    type: 'TextualBody',
    value: [inLanguage(title, language), inLanguage(text, language)].filter((one) => one !== '').join('\n\n'),
    format: 'text/plain',
    purpose: 'commenting',
    ...(language === 'none' ? {} : { language }),
  }));
}

const singly = <T>(list: readonly T[]): T | readonly T[] | undefined => (list.length === 1 ? list[0] : list);

const labelMember = (label: LanguageMap): object => (Object.keys(label).length === 0 ? {} : { label });

function annotationOf(step: TourStep, target: StepTarget, id: string): object {
  const bodies = stepBodies(step);
  return {
    id,
    type: 'Annotation',
    motivation: 'commenting',
    ...labelMember(step.title),
    ...(bodies.length === 0 ? {} : { body: singly(bodies) }),
    target: {
      type: 'SpecificResource',
      source: { id: target.canvas, type: 'Canvas', partOf: [{ id: target.manifest, type: 'Manifest' }] },
      selector: stepSelector(target),
    },
    // Where it comes from (Web Annotation, section 3.3.2): what the fragment can't say, such as a rotation, is there.
    ...(target.address === undefined ? {} : { via: target.address }),
  };
}

/** What a page says of its collection, and a collection of itself (Presentation 3.0, section 5.8). */
const collectionHead = ({ title, steps }: Tour, id: string): object => ({
  id,
  type: 'AnnotationCollection',
  ...labelMember(title),
  total: steps.length,
});

/** All steps as one page of annotations, in their order; `targets` has one for each. */
export const tourPage = (tour: Tour, targets: readonly StepTarget[], addresses: TourAddresses): object => ({
  '@context': context,
  id: addresses.page,
  type: 'AnnotationPage',
  ...labelMember(tour.title),
  partOf: collectionHead(tour, addresses.collection),
  startIndex: 0,
  items: tour.steps.flatMap((step, at) => {
    const target = targets[at];
    return target === undefined ? [] : [annotationOf(step, target, `${addresses.page}#step-${at + 1}`)];
  }),
});

/** The collection of them, with its only page in it, so that a file has all. */
export function tourCollection(tour: Tour, targets: readonly StepTarget[], addresses: TourAddresses): object {
  const { '@context': _, partOf: _partOf, ...page } = tourPage(tour, targets, addresses) as Record<string, unknown>;
  return {
    '@context': context,
    ...collectionHead(tour, addresses.collection),
    ...(Object.keys(tour.summary).length === 0 ? {} : { summary: tour.summary }),
    first: { ...page, partOf: addresses.collection },
    last: addresses.page,
  };
}

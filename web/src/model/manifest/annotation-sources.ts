/** The pages of annotations that a canvas or an image of a manifest names, and the collections that they belong to. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isObject, memberOf } from '../json-value.ts';
import type { Rect } from '../view-state.ts';
import { firstOf, itemsOf, textsOf, typeOf, webAddress } from './members.ts';

/** A page of annotations: its address, or itself where the manifest contains it. */
export type AnnotationSource = string | Readonly<Record<string, unknown>>;

/** The annotations of one image of a canvas, in pixels of that image. */
export interface ImageAnnotations {
  readonly sources: readonly AnnotationSource[];
  /** The number of the image among the layers of its page, from 1; undefined where it is the only one. */
  readonly layer: number | undefined;
  readonly size: Size;
  /** Where the image that the page stands for lies on it, in fractions of it. */
  readonly place: Rect;
}

const referencesOf = (resource: unknown): readonly unknown[] => [
  ...itemsOf(memberOf(resource, 'annotations'), 100),
  ...itemsOf(memberOf(resource, 'otherContent'), 100),
];

/** Annotations in place, or by their address. */
export const annotationsOf = (resource: unknown): readonly AnnotationSource[] =>
  referencesOf(resource).flatMap((source): readonly AnnotationSource[] => {
    if (isObject(source) && firstOf(source, 'items', 'resources') !== undefined) return [source];
    const address = webAddress(source);
    return address === undefined || typeOf(source) === 'AnnotationCollection' ? [] : [address];
  });

/** The label of the collection that a page of annotations is part of. */
export const groupOf = (page: unknown): LanguageMap =>
  textsOf(memberOf(itemsOf(memberOf(page, 'partOf'), 1)[0], 'label'));

const noGroups: ReadonlyMap<string, LanguageMap> = new Map();

/** The labels of the collections of the pages of annotations that a resource names by their addresses. */
export function groupsOf(resource: unknown): ReadonlyMap<string, LanguageMap> {
  const labelled = referencesOf(resource).flatMap((source) => {
    const [address, label] = [webAddress(source), groupOf(source)];
    return address === undefined || Object.keys(label).length === 0 ? [] : [[address, label] as const];
  });
  return labelled.length === 0 ? noGroups : new Map(labelled);
}

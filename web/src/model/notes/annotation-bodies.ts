/** The bodies of annotations in manifests: of a choice the one in the reader’s language, and what is linked or pictured beside texts. */
import { textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import { isObject, memberOf, textOf } from '../json-value.ts';
import { firstOf, idOf, itemsOf, typeOf, webAddress } from '../manifest/members.ts';
import { coordinatesText, geoAddress, placeOfFeature } from '../manifest/nav-place.ts';

/** Where a body leads: an address, or a canvas of a manifest. */
export type BodyLink =
  | { readonly kind: 'address'; readonly address: string; readonly text: string }
  | { readonly kind: 'canvas'; readonly manifest: string; readonly canvas: string };

export interface LinkedBodies {
  /** The bodies that are texts, tags or colors. */
  readonly texts: readonly unknown[];
  readonly links: readonly BodyLink[];
  /** The addresses of pictures. */
  readonly pictures: readonly string[];
  /** The class of a style sheet that a text has; empty for none. */
  readonly styleClass: string;
}

const maxBodies = 100;
const maxDepth = 4;

/** How well a body’s language suits the reader: the position among the reader’s, the longest for others. */
function rankOf(body: unknown, languages: readonly string[]): number {
  const [tag = ''] = itemsOf(memberOf(body, 'language'), 1).map((one) => textOf(one).toLowerCase());
  const rank = languages.findIndex((wanted) => wanted.split('-')[0] === tag.split('-')[0]);
  return rank < 0 ? languages.length : rank;
}

/** Of bodies to choose from the one in the language that the reader wants most, or else the first. */
function chosenOf(choice: unknown, languages: readonly string[]): readonly unknown[] {
  const items = itemsOf(firstOf(choice, 'items', 'item'), maxBodies);
  return items.toSorted((one, other) => rankOf(one, languages) - rankOf(other, languages)).slice(0, 1);
}

const none: LinkedBodies = { texts: [], links: [], pictures: [], styleClass: '' };

const merged = (all: readonly LinkedBodies[]): LinkedBodies => ({
  texts: all.flatMap(({ texts }) => texts),
  links: all.flatMap(({ links }) => links),
  pictures: all.flatMap(({ pictures }) => pictures),
  styleClass: all.find(({ styleClass }) => styleClass !== '')?.styleClass ?? '',
});

/** A feature on the earth is a link to the map of the reader’s device. */
function featureBody(feature: unknown, languages: readonly string[]): LinkedBodies {
  const place = placeOfFeature(feature);
  if (place === undefined) return none;
  const text = coordinatesText(place);
  const label = textFor(place.label, languages).join(' ');
  const links = [{ kind: 'address' as const, address: geoAddress(place), text }];
  return { ...none, links, texts: label === '' ? [] : [{ type: 'TextualBody', value: label }] };
}

/** A canvas, by the manifest that it is part of. */
function canvasLink(resource: unknown): readonly BodyLink[] {
  const manifest = itemsOf(memberOf(resource, 'partOf'), 20).find((one) => typeOf(one) === 'Manifest');
  const [address, canvas] = [webAddress(manifest), webAddress(resource)];
  return typeOf(resource) !== 'Canvas' || address === undefined || canvas === undefined
    ? []
    : [{ kind: 'canvas', manifest: address, canvas }];
}

function linkTo(resource: unknown): LinkedBodies {
  const canvas = canvasLink(resource);
  if (canvas.length > 0) return { ...none, links: canvas };
  const address = webAddress(resource);
  return address === undefined ? none : { ...none, links: [{ kind: 'address', address, text: address }] };
}

function specific(body: unknown, languages: readonly string[], depth: number): LinkedBodies {
  const source = firstOf(body, 'source', 'full');
  const styleClass = textOf(memberOf(body, 'styleClass'));
  const inner = isObject(source) && typeOf(source) !== 'Canvas' ? read(source, languages, depth + 1) : linkTo(source);
  return { ...inner, styleClass: styleClass || inner.styleClass };
}

function read(body: unknown, languages: readonly string[], depth: number): LinkedBodies {
  if (depth > maxDepth) return none;
  switch (typeOf(body)) {
    case 'Choice':
      return merged(chosenOf(body, languages).map((one) => read(one, languages, depth + 1)));
    case 'SpecificResource':
      return specific(body, languages, depth);
    case 'Feature':
      return featureBody(body, languages);
    case 'Image': {
      const address = webAddress(body);
      return address === undefined ? none : { ...none, pictures: [address] };
    }
    case 'Canvas':
      return linkTo(body);
    case 'TextualBody':
    case 'ContentAsText':
      return { ...none, texts: [body], styleClass: textOf(memberOf(body, 'styleClass')) };
    default:
      // Other types are external resources, unless they have a text in them.
      return isObject(body) && !('value' in body) && !('chars' in body) && idOf(body) !== ''
        ? linkTo(body)
        : { ...none, texts: [body] };
  }
}

/** The bodies of an annotation; `languages` are the reader’s, in lower case. */
export const linkedBodies = (annotation: unknown, languages: readonly string[]): LinkedBodies =>
  merged(
    itemsOf(firstOf(annotation, 'body', 'resource', 'bodyValue'), maxBodies).map((body) => read(body, languages, 0)),
  );

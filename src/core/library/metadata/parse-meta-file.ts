/** Parses `.meta` files, which contain metadata of images (digilib.md, section 3, “Metadata”); loaded with the first such file. */
import type { MetadataFault } from '../../image/folder/folder-metadata.ts';
import type { Dpi } from '../../image/model/geometry.ts';
import { type ImageContext, type ImageMetadata, mergeMetadata, unreadableAccess } from '../../image/model/image-set.ts';
import { mentionsRedactions } from '../../image/model/redaction.ts';
import { decodeXml } from '../../parsing/encoding.ts';
import { parseXmlDocument, type XmlElement, XmlSyntaxError } from '../../parsing/xml.ts';
import { dpiOf, inchesPerMeter } from '../headers/image-facts.ts';
import { emptyMetaFile, type MetaFile, pathKey } from './meta-files.ts';
import { redactionsIn } from './meta-redactions.ts';

/** The child elements that have one of these names, in document order. */
const elementsIn = (element: XmlElement, ...names: readonly string[]): readonly XmlElement[] =>
  element.children.filter((child) => names.includes(child.name));

/** The descendants at a path of names below these elements. */
const elementsAt = (elements: readonly XmlElement[], ...path: readonly string[]): readonly XmlElement[] =>
  path.reduce((found, name) => found.flatMap((element) => elementsIn(element, name)), elements);

/** The trimmed text of an element; undefined where it is empty. */
const textOf = (element: XmlElement | undefined): string | undefined => element?.text.trim() || undefined;

function positive(element: XmlElement | undefined): number | undefined {
  const text = textOf(element) ?? '';
  const number = /^\+?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : 0;
  return Number.isFinite(number) && number > 0 ? number : undefined;
}

/** The resolution by the first of the three forms that is complete. */
function dpiIn(images: readonly XmlElement[]): Dpi | undefined {
  const number = (name: string): number | undefined =>
    elementsAt(images, `original-${name}`)
      .map(positive)
      .find((value) => value !== undefined);
  const both = (x: number | undefined, y: number | undefined): Dpi | undefined => dpiOf(x ?? 0, y ?? 0);
  const perMeter = (axis: 'x' | 'y'): number => (number(`pixel-${axis}`) ?? 0) / (number(`size-${axis}`) ?? 0);
  return (
    both(number('dpi'), number('dpi')) ??
    both(number('dpi-x'), number('dpi-y')) ??
    dpiOf(perMeter('x'), perMeter('y'), inchesPerMeter)
  );
}

const textContext = (text: string | undefined): readonly ImageContext[] =>
  text === undefined ? [] : [{ kind: 'text', text }];

function contextOf(element: XmlElement): readonly ImageContext[] {
  const link = textOf(elementsIn(element, 'link')[0]);
  const name = textOf(elementsIn(element, 'name')[0]);
  if (link === undefined && name === undefined) return textContext(textOf(element));
  return [{ kind: 'link', ...(link === undefined ? {} : { link }), ...(name === undefined ? {} : { name }) }];
}

/** The contexts of the folder or file, and the texts around the image itself, in document order. */
const contextsIn = (meta: XmlElement): readonly ImageContext[] =>
  elementsIn(meta, 'context', 'img').flatMap((element) =>
    element.name === 'context'
      ? contextOf(element)
      : elementsIn(element, 'context').flatMap((text) => textContext(textOf(text))),
  );

/** A type other than `free` restricts access even without a name, so that nothing is open by mistake. */
function accessOf(element: XmlElement): string {
  const type = element.attributes['type']?.trim();
  // The file says that there is a rule, and not which: nobody may see the image by mistake.
  if (!type) return unreadableAccess;
  if (type === 'free') return type;
  const name = textOf(elementsIn(element, 'name')[0]);
  return name === undefined ? type : `${type}:${name}`;
}

const firstOf = <T>(values: readonly (T | undefined)[]): T | undefined => values.find((value) => value !== undefined);

function metadataIn(meta: XmlElement): ImageMetadata {
  const images = elementsIn(meta, 'img');
  const dpi = dpiIn(images);
  const access = firstOf(elementsAt([meta], 'access-conditions', 'access').map(accessOf));
  const titles = [elementsIn(meta, 'title'), elementsAt(images, 'title'), elementsAt([meta], 'bib', 'title')];
  const title = firstOf(titles.flat().map(textOf));
  return {
    contexts: contextsIn(meta),
    ...(dpi === undefined ? {} : { dpi }),
    ...(access === undefined ? {} : { access }),
    ...(title === undefined ? {} : { title }),
  };
}

const metadataOf = (element: XmlElement): ImageMetadata => mergeMetadata(elementsIn(element, 'meta').map(metadataIn));

function metadataByPath(root: XmlElement): ReadonlyMap<string, ImageMetadata> {
  const byPath = new Map<string, ImageMetadata>();
  for (const file of elementsIn(root, 'file')) {
    const name = textOf(elementsIn(file, 'name')[0]);
    if (name === undefined) continue;
    const key = pathKey(`${textOf(elementsIn(file, 'path')[0]) ?? ''}/${name}`);
    const before = byPath.get(key);
    byPath.set(key, before === undefined ? metadataOf(file) : mergeMetadata([before, metadataOf(file)]));
  }
  return byPath;
}

/** The first rule of access without a type, which closes its images to everyone where there are rules for types. */
function faultOfAccess(root: XmlElement): Omit<MetadataFault, 'file'> | undefined {
  const metas = [root, ...elementsIn(root, 'file')].flatMap((element) => elementsIn(element, 'meta'));
  const wrong = elementsAt(metas, 'access-conditions', 'access').find(
    (access) => accessOf(access) === unreadableAccess,
  );
  const message = 'This <access> has no type; write <access type="free"/>, or the type and a <name>.';
  return wrong && { line: wrong.line, message };
}

export interface ParsedMetaFile {
  /** Empty where the bytes can't be read as XML. */
  readonly file: MetaFile;
  /** Why they can't. */
  readonly fault?: Omit<MetadataFault, 'file'>;
  /** What is wrong in a file that can be read. */
  readonly warning?: Omit<MetadataFault, 'file'>;
}

function refuseDoctype(_: string, line: number): never {
  throw new XmlSyntaxError('A document type (<!DOCTYPE …>) is not read here; leave it out.', line);
}

/** Parses the bytes of a file, which is of one image or `ofFolder`. Never throws. */
export function parseMetaFile(bytes: Buffer, ofFolder = false): ParsedMetaFile {
  const text = decodeXml(bytes);
  if (typeof text !== 'string') return { file: emptyMetaFile, fault: text };
  try {
    const root = parseXmlDocument(text, { doctype: refuseDoctype });
    const found = mentionsRedactions(text) ? redactionsIn(root, ofFolder) : {};
    const warning = found.fault ?? faultOfAccess(root);
    const general = { ...metadataOf(root), ...(found.redactions && { redactions: found.redactions }) };
    // The substrings of a text keep all of it in memory, here the whole file; those of the copy do not.
    const file = structuredClone({ general, byPath: metadataByPath(root) });
    return { file, ...(warning && { warning }) };
  } catch (error) {
    if (!(error instanceof XmlSyntaxError)) throw error;
    return { file: emptyMetaFile, fault: { line: error.line, message: error.sentence } };
  }
}

/** What of a canvas has the text of its page: files (`seeAlso`, `rendering`) and annotations that transcribe or translate it. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { isObject, memberOf, textOf } from '../json-value.ts';
import { firstOf, itemsOf, textsOf, webAddress } from './members.ts';

export type TextFileFormat = 'alto' | 'page' | 'hocr' | 'plain';

export interface PageTextFile {
  /** The language of the file, else its format, with a number where there are several: `de`, `alto`, `plain-2`. */
  readonly key: string;
  readonly address: string;
  readonly format: TextFileFormat;
  readonly label: LanguageMap;
  /** BCP 47; undefined where the manifest does not say. */
  readonly language: string | undefined;
}

/** The most files that are offered of a canvas. */
const maxFiles = 20;

const formats: readonly (readonly [format: TextFileFormat, form: RegExp])[] = [
  ['alto', /\balto\b|\/alto[/.]|alto\.xml/i],
  ['hocr', /hocr/i],
  ['page', /PcGts|PAGE[- ]?XML|PRImA/i],
];

/** The format of a linked file by what is said of it; undefined for what is no text of a page, such as a website. */
function formatOf(resource: unknown): TextFileFormat | undefined {
  const type = textOf(memberOf(resource, 'format'));
  const said = [
    textOf(memberOf(resource, 'profile')),
    type,
    ...Object.values(textsOf(memberOf(resource, 'label'))).flat(),
  ];
  const named = formats.find(([, form]) => said.some((one) => form.test(one)))?.[0];
  return named ?? (/^text\/plain\b/.test(type) ? 'plain' : undefined);
}

/** A key for each, with a number behind those that another one has already. */
export function uniqueKeys(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  };
}

const languageOf = (resource: unknown): string | undefined => {
  const tag = textOf(itemsOf(memberOf(resource, 'language'), 1)[0]);
  return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(tag) ? tag : undefined;
};

/** Those with places before plain text, which is mostly the same. */
export function textFilesOf(canvas: unknown): readonly PageTextFile[] {
  const keyOf = uniqueKeys();
  const linked = [
    ...itemsOf(memberOf(canvas, 'seeAlso'), maxFiles),
    ...itemsOf(memberOf(canvas, 'rendering'), maxFiles),
  ];
  const found = linked.flatMap((resource) => {
    const [address, format] = [webAddress(resource), formatOf(resource)];
    return address === undefined || format === undefined ? [] : [{ resource, address, format }];
  });
  const ordered = [
    ...found.filter(({ format }) => format !== 'plain'),
    ...found.filter(({ format }) => format === 'plain'),
  ];
  return ordered.slice(0, maxFiles).map(({ resource, address, format }) => {
    const language = languageOf(resource);
    const key = keyOf(language?.toLowerCase() ?? format);
    return { key, address, format, label: textsOf(memberOf(resource, 'label')), language };
  });
}

/** What annotations are for that have the text of a page; those of version 2 paint it. */
const textMotivations: ReadonlySet<string> = new Set(['supplementing', 'transcribing', 'translating', 'painting']);

export const transcribes = (annotation: unknown): boolean =>
  itemsOf(memberOf(annotation, 'motivation'), 10).some((one) => textMotivations.has(textOf(one).replace(/^\w+:/, '')));

/** Whether a page has a text, as far as its manifest says: of annotations elsewhere, it does not say what they are for. */
export const mayHaveText = ({
  texts,
  annotations,
}: {
  readonly texts: readonly PageTextFile[];
  readonly annotations: readonly unknown[];
}): boolean =>
  texts.length > 0 ||
  annotations.some((page) => !isObject(page) || itemsOf(firstOf(page, 'items', 'resources')).some(transcribes));

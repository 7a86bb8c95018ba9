/** A file that holds the text of a page, and how its format is recognized by its first bytes. */

import { stemOf } from '../../core/image/model/formats.ts';
import type { Identifier } from '../../core/image/model/identifier.ts';
import type { TextFormat } from '../../core/image/model/text-formats.ts';
import type { ByteSpan } from '../../core/library/listings/folder-files.ts';
import type { TextFileKind } from '../../core/library/listings/text-names.ts';
import { encodingOf } from '../../core/parsing/encoding.ts';

/** A text's file as it was found: nothing of its content is checked but its format. */
export interface TextFile extends SniffedFormat {
  /** The file's name alone. */
  readonly name: string;
  /** The absolute path of the folder around it, links resolved. The host's, it never leaves the server. */
  readonly directory: string;
  /** Every path under which the library shows the file, for access rules. */
  readonly paths: readonly Identifier[];
  /** Changes when the file's content does. */
  readonly fingerprint: string;
  /** Length in bytes. */
  readonly bytes: number;
  /** Last modification in ms since 1970. */
  readonly modifiedMs: number;
  /** Whether what is read of it may be cached under its fingerprint. */
  readonly isSettled: boolean;
  /** Which page of the file the text is, from 1. */
  readonly page: number;
  /** Of a file with the pages of a folder, the bytes of this page; absent where the file is that of one scan. */
  readonly span?: ByteSpan;
  /** BCP 47, where the name of the file says it. */
  readonly language?: string;
}

export interface SniffedFormat {
  readonly format: TextFormat;
  /** What names the format and its version: the namespace of the root element, or the specification. */
  readonly profile?: string;
}

/** As many bytes of a file are enough. */
export const sniffedBytes = 16 * 1024;

const hocrProfile = 'http://kba.cloud/hocr-spec/1.2/';

/** The first bytes as text in which ASCII is readable. */
function readableStart(bytes: Buffer): string {
  const isWide = bytes.subarray(0, 4).includes(0) || encodingOf(bytes).startsWith('utf-16');
  const text = bytes.toString('latin1');
  return isWide ? text.replaceAll('\0', '') : text;
}

/** The start tag of the root element; undefined where it does not stand in these characters. */
function rootTag(start: string): RegExpExecArray | null {
  const withoutComments = start
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>/i, '');
  return /<(?:[\w.-]+:)?([A-Za-z][\w.-]*)((?:\s[^<>]*)?)>/.exec(withoutComments);
}

const namespaceIn = (attributes: string, pattern: RegExp): string | undefined =>
  [...attributes.matchAll(/xmlns(?::[\w.-]+)?\s*=\s*["']([^"']{1,300})["']/g)]
    .map(([, uri]) => uri)
    .find((uri) => uri !== undefined && pattern.test(uri));

const isHocr = (start: string): boolean => /\bocr_page\b|\bocr-system\b|\bocr-capabilities\b/.test(start);

/** The format of a file by its kind and its first bytes; undefined where it holds no text of a page. */
export function sniffFormat(kind: TextFileKind, bytes: Buffer): SniffedFormat | undefined {
  if (kind === 'plain') return { format: 'plain' };
  const start = readableStart(bytes);
  const [, root = '', attributes = ''] = rootTag(start) ?? [];
  const withProfile = (format: TextFormat, profile: string | undefined): SniffedFormat =>
    profile === undefined ? { format } : { format, profile };
  if (kind === 'xml' && root === 'alto') return withProfile('alto', namespaceIn(attributes, /alto/i));
  if (kind === 'xml' && root === 'PcGts') return withProfile('page', namespaceIn(attributes, /PAGE/));
  return isHocr(start) ? { format: 'hocr', profile: hocrProfile } : undefined;
}

/** A page of a book, which the file names by its image, by its number, or by neither. */
export interface BookPage {
  readonly span: ByteSpan;
  /** The stem of the image's file name, in normalization form C. */
  readonly image: string | undefined;
  /** Its number in the book, from 0, as the file says it. */
  readonly number: number | undefined;
}

/**
 * The page of an image: the one that names it, else, where the file names no images, the one with its number, else the one in
 * its place. `at` is the position of the image in its folder, from 0.
 */
export function pageOfImage(pages: readonly BookPage[], image: string, at: number): BookPage | undefined {
  const stem = stemOf(image).normalize('NFC');
  if (pages.some((page) => page.image !== undefined)) return pages.find((page) => page.image === stem);
  return (
    pages.find((page) => page.number === at) ??
    (pages.every(({ number }) => number === undefined) ? pages[at] : undefined)
  );
}

/** Recognizes the format of a text's file by its first bytes. */
import type { TextFormat } from '../../../core/image/model/formats.ts';
import type { TextFileKind } from '../../../core/library/listings/text-names.ts';
import { encodingOf } from '../../../core/text/encoding.ts';

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

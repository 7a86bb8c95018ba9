/** A file that holds the text of a page. */
import type { Identifier } from '../../core/image/model/identifier.ts';
import type { ByteSpan } from '../../core/library/listings/folder-files.ts';
import type { SniffedFormat } from './formats/sniff.ts';

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
}

/**
 * Why a file has no text for a page, and the bounds of what is read of one: far above any page, and far below what
 * harms a server.
 */

/** What is wrong with a file, and where. */
export interface TextFault {
  /** From 1; 0 where the fault has no line. */
  readonly line: number;
  readonly message: string;
}

export class TextFaultError extends Error implements TextFault {
  readonly line: number;

  constructor(message: string, line = 0) {
    super(message);
    this.name = 'TextFaultError';
    this.line = line;
  }
}

/** The longest file of one page, in bytes. */
export const maxPageBytes = 16 * 1024 * 1024;

/** The longest plain text, in UTF-16 code units, since it is split at once. */
export const maxPlainLength = 4 * 1024 * 1024;

/** The longest hOCR file of a folder, in bytes; of it, a page is read at a time. */
export const maxBookBytes = 1024 * 1024 * 1024;

/** Words on one page. */
export const maxWords = 100_000;

/** The longest text of a line whose words have no elements, in UTF-16 code units, since it is split at once. */
export const maxLineLength = 2 * maxWords;

/** Elements inside of each other. */
export const maxDepth = 256;

/** The longest word, in UTF-16 code units; what is longer is cut. */
export const maxWordLength = 1000;

/** How much is parsed before other requests have their turn, in UTF-16 code units: a few milliseconds. */
export const charactersPerTurn = 128 * 1024;

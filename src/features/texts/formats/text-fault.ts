/** Why a file has no text for a page. */

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

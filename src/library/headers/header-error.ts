/** The one error of the header readers: the bytes are no known image, or its header is damaged. */

export class HeaderError extends Error {
  /** A sentence for the log; it names no path and quotes no bytes of the file. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = 'HeaderError';
    this.reason = reason;
  }
}

/** The value, or a HeaderError with `reason` where there is none. */
export function required<T>(value: T | undefined, reason: string): T {
  if (value === undefined) throw new HeaderError(reason);
  return value;
}

/** The answer to a question that a damaged file need not answer: a HeaderError becomes undefined. */
export async function ifReadable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof HeaderError) return undefined;
    throw error;
  }
}

/** The error of the header readers: the bytes are no image of a known format, or its header is damaged. */
import { TiffError } from '@lectern/tiff';

export class HeaderError extends Error {
  override readonly name = 'HeaderError';

  /** A sentence for the log, without the path or any bytes of the file. */
  get reason(): string {
    return this.message;
  }
}

/** The value, or a HeaderError with `reason` where there is none. */
export function required<T>(value: T | undefined, reason: string): T {
  if (value === undefined) throw new HeaderError(reason);
  return value;
}

/** An optional part of a header: undefined where it is damaged. */
export async function ifIntact<T>(part: Promise<T>): Promise<T | undefined> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof HeaderError || error instanceof TiffError) return undefined;
    throw error;
  }
}

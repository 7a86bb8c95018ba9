/** A file of sound or video whose header is read, and what that tells. */

export interface MediaFacts {
  /** In seconds. */
  readonly duration: number;
  readonly width?: number;
  readonly height?: number;
}

/** Reads parts of a file; fewer bytes where it ends before. */
export type ReadPart = (at: number, length: number) => Promise<Buffer>;

export interface MediaSource {
  readonly bytes: number;
  readonly read: ReadPart;
}

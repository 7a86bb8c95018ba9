/** Where derived pyramids lie, by name: a folder of this machine, or a bucket that servers share. */

/** Methods reject where the disk or the bucket fails, unless they say otherwise. */
export interface PyramidStore {
  /** The bound in bytes: for all pyramids of a folder; for the temporary files of those of a bucket. */
  readonly maxBytes: number;
  /** Number of pyramids, and their bytes; of a bucket, those that this process has made or used. */
  load(): { readonly count: number; readonly bytes: number };
  /** Changes whenever other pyramids may be found than before. */
  readonly state: number;
  /** Certainly no pyramid is found at present. */
  readonly isEmpty: boolean;
  /** Whether a pyramid of this content is worth asking for; asks memory only. `isSlow` says whether its source is slow to cut. */
  mayHave(content: string, isSlow: boolean): boolean;
  /** The bytes that are left within the bound; undefined where there is none. */
  freeBytes(): number | undefined;
  /** Nobody who reads waits for the answer `atLeisure`. */
  has(name: string, atLeisure?: 'atLeisure'): boolean | Promise<boolean>;
  /** Whether the file of a pyramid is there and can be opened. Never rejects; a failure is reported. */
  canOpen(name: string): Promise<boolean>;
  /** Reports a failure while a pyramid was read. */
  readFailed(error: unknown): void;
  /** The path at which it is read. */
  pathOf(name: string): string;
  /** The path of a temporary file on a local disk while a pyramid is made. */
  workPathOf(workName: string): string;
  /** Creates folders. Rejects where they can't be written to. */
  prepare(): Promise<void>;
  /** Takes notice of what other processes did. */
  refresh(): Promise<void>;
  /** Starts a refresh in the background where the last one was long ago. */
  refreshIfOld(): void;
  /** Marks a pyramid as used now. */
  use(name: string): void;
  /** Deletes a pyramid. Never rejects: it is not found any more also where the store fails, which is reported. */
  drop(name: string): Promise<void>;
  /** Moves a finished file to its place under the pyramid's name. */
  commit(name: string, workPath: string): Promise<void>;
  /** Makes space for a pyramid and its temporary files, in bytes; resolves to the reason where that is impossible. */
  makeSpace(bytes: number, workBytes: number, keep?: ReadonlySet<string>): Promise<string | undefined>;
  /** The right to make a pyramid; undefined where another maker on the same disk has it. */
  lock(name: string): Promise<(() => Promise<void>) | undefined>;
  /** Deletes files that makers left when they died. */
  sweep(): Promise<void>;
}

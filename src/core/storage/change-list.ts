/** What a list of changes of manifests is asked for: the latest change of each, in pages whose numbers stay. */

/** A manifest that everyone may see now. */
export interface SeenManifest {
  /** The path of its folder. */
  readonly path: string;
  /** Changes with the manifest; undefined where it is there, but can't be read now. */
  readonly version: string | undefined;
  /** When what it shows was changed last, in ms since 1970; 0 where that is not known. */
  readonly changedMs: number;
}

export type ChangeKind = 'create' | 'update' | 'delete' | 'refresh';

export interface Change {
  readonly kind: ChangeKind;
  /** Empty for `refresh`, which says that all manifests follow anew, and for the manifest of the root. */
  readonly path: string;
  /** When it was put into the list, in ms since 1970: never before that of a change that precedes it. */
  readonly listedMs: number;
  /** As in `SeenManifest`. */
  readonly changedMs: number;
}

/** A part of the list; the latest changes are at the end of the last page. No page is empty. */
export interface ChangePage {
  readonly changes: readonly Change[];
  readonly before: number | undefined;
  readonly after: number | undefined;
}

export interface ChangeListState {
  readonly total: number;
  /** The numbers of the first and the last page. */
  readonly first: number;
  readonly last: number;
  /** Whether all manifests were seen once. */
  readonly isWhole: boolean;
}

/** How many changes of each kind were put into the list, and how many new manifests were not, since it is full. */
export type ChangeCounts = Readonly<Record<'create' | 'update' | 'delete' | 'refused', number>>;

/** Promises reject where the list can't be read or written. A walk of the library is between `begin` and `end`. */
export interface ChangeList {
  state(): Promise<ChangeListState>;
  /** Undefined where there is no page of this number, or no longer. */
  page(number: number): Promise<ChangePage | undefined>;
  begin(): Promise<void>;
  /** Takes some manifests that the walk has seen. */
  note(manifests: readonly SeenManifest[]): Promise<ChangeCounts>;
  /** Ends a walk; those that it has not seen are deleted, unless it could not see all. */
  end(sawAll: boolean): Promise<ChangeCounts>;
  close(): Promise<void>;
}

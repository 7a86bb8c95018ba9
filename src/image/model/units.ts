/** Units of length as the reading room knows them, and as it is told those that a site adds. */

export interface Unit {
  readonly name: string;
  /** Short form for behind a number; the name where there is none. */
  readonly symbol?: string;
  /** Where it was used, or by whom; absent for units of today. */
  readonly place?: string;
  readonly meters: number;
  /** Where the length comes from. */
  readonly source?: string;
}

/** What the reading room is told of them. */
export interface UnitList {
  readonly units: readonly Unit[];
}

/** The answer of `/api/pdf.json`: how far a PDF document is. */

export interface DocumentState {
  /** `none`: nobody has begun it. */
  readonly state: 'none' | 'making' | 'done' | 'failed';
  /** How many pages are made. */
  readonly pages: number;
  /** How many pages it will have, without the cover. */
  readonly of: number;
  /** How long it is until now. */
  readonly bytes: number;
  /** Why it could not be made. */
  readonly message?: string;
}

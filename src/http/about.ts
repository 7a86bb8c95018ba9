/** What the package says about itself, as pages and the API description show it. */
export interface About {
  readonly version: string;
  /** Its SPDX identifier. */
  readonly license: string;
  /** One sentence. */
  readonly description: string;
}

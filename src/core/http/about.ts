/** What the package says about itself, and the address of the description of its API. */

/** The path of the API description below the context path. */
export const descriptionPath = '/openapi.json';

export interface About {
  readonly version: string;
  /** Its SPDX identifier. */
  readonly license: string;
  /** One sentence. */
  readonly description: string;
}

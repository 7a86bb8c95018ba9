/** What the package says about itself, and the address of the description of its API. */
import { readFileSync } from 'node:fs';

/** The path of the API description below the context path. */
export const descriptionPath = '/openapi.json';

export interface About {
  readonly version: string;
  /** Its SPDX identifier. */
  readonly license: string;
  /** One sentence. */
  readonly description: string;
}

/** Of this package, read from package.json. */
export const about: About = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

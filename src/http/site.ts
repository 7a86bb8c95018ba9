/** A site's own static pages, as the routes need them. */

export interface Site {
  /** Where the pages lie, as an absolute path. */
  readonly folder: string;
  /** Folders of images to which rules of access apply: what lies in them is not sent past these. */
  readonly closed: readonly string[];
}

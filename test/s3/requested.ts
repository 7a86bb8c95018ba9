/** What requests to an object store were for. */

export interface Requested {
  /** Pages of listings. */
  readonly lists: number;
  /** Requests for bytes of images and texts. */
  readonly bytes: number;
  /** Those for metadata of images, and whether an object is still the same. */
  readonly others: number;
}

/** Counts requests as the proxy names them. */
export function requestedOf(requests: readonly string[]): Requested {
  const lists = requests.filter((request) => /^GET \S*[?&]list-type=2/.test(request)).length;
  const isMetadata = (request: string): boolean => /(?:\.meta|\/metadata\.ya?ml)(?:\?\S*)? /.test(request);
  const bytes = requests.filter((request) => / bytes=/.test(request) && !isMetadata(request)).length;
  return { lists, bytes, others: requests.length - lists - bytes };
}

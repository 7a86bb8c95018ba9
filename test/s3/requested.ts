/** What requests to an object store were for. */

export interface Requested {
  /** Pages of listings. */
  readonly lists: number;
  /** Requests for bytes of objects. */
  readonly bytes: number;
  readonly others: number;
}

/** Counts requests as the proxy names them. */
export function requestedOf(requests: readonly string[]): Requested {
  const lists = requests.filter((request) => /^GET \S*[?&]list-type=2/.test(request)).length;
  const bytes = requests.filter((request) => / bytes=/.test(request)).length;
  return { lists, bytes, others: requests.length - lists - bytes };
}

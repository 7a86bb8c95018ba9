/** Lists of a bucket from its catalogue, as far as that has them and answers, and otherwise from the store. */
import type { BucketCatalogue } from '../catalogue.ts';
import { storeLate } from '../store-time.ts';
import type { BucketRequests, ListedPage } from './bucket-requests.ts';

/** What precedes the position of a page in the catalogue; no token of a store begins so. */
const mark = 'catalogue\n';

const isWithin = (token: string | undefined): boolean => token === undefined || token.startsWith(mark);

export function cataloguedLists(
  requests: Pick<BucketRequests, 'list'>,
  catalogue: BucketCatalogue | undefined,
): Pick<BucketRequests, 'list'> {
  if (catalogue === undefined) return requests;

  const { list, covers } = catalogue;

  async function page(prefix: string, token: string | undefined): Promise<ListedPage | undefined> {
    try {
      const { objects, folders, next } = await list(prefix, token?.slice(mark.length));
      return { objects, folders, next: next === undefined ? undefined : mark + next };
    } catch (error) {
      // A list that was begun here goes on here alone, since the store has another order.
      if (token !== undefined) throw storeLate({ cause: error });
      return undefined;
    }
  }

  return {
    async list(prefix, token, options) {
      const mayHave = isWithin(token) && (prefix === '' || prefix.endsWith('/')) && options?.startAfter === undefined;
      const found = mayHave && covers(prefix) ? await page(prefix, token) : undefined;
      return found ?? requests.list(prefix, token, options);
    },
  };
}

/** Searches the open book as long as its address has words to search for. */
import { useEffect } from 'preact/hooks';
import { followSearch } from '../../state/text/book-request.ts';

export function BookSearch(): null {
  useEffect(followSearch, []);
  return null;
}

/** The choice that u and v, and i and j, are the same letters in a search, as early prints have them. */

import type { VNode } from 'preact';
import { readQuery, withAlike } from '../../../../src/core/image/folder/spellings.ts';
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';

interface AlikeChoiceProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** Nothing where the words have none of these letters. */
export function AlikeChoice({ query, onQuery }: AlikeChoiceProps): VNode | null {
  const { text, isAlike } = readQuery(query);
  if (!isAlike && !/[uvij]/i.test(text)) return null;
  return (
    <label class="alike-choice">
      <input
        type="checkbox"
        checked={isAlike}
        onChange={({ currentTarget }) => onQuery(withAlike(query, currentTarget.checked))}
      />
      {message('search-alike')}
    </label>
  );
}

/** Words that were found, with those around them. */
import type { VNode } from 'preact';

interface FoundWordsProps {
  readonly hit: { readonly before: string; readonly match: string; readonly after: string };
}

export const FoundWords = ({ hit: { before, match, after } }: FoundWordsProps): VNode => (
  <>
    {before !== '' && `… ${before} `}
    <mark>{match}</mark>
    {after !== '' && ` ${after} …`}
  </>
);

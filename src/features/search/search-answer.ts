/** What `search.json` answers: folders, chapters, images, and the words of pages. */
import * as z from 'zod';
import { foundName } from '../../core/image/folder/folder-listing.ts';
import { foundTexts } from './found-texts.ts';

const text = z.string();

/** The answer of `GET {base_url}/api/search.json`. */
export type SearchAnswer = z.infer<typeof searchAnswer>;
export const searchAnswer = z
  .strictObject({
    query: text,
    found: z.array(foundName).readonly().describe('Folders, chapters and images; none where `within` was sent.'),
    complete: z.boolean().describe('Whether everything was searched; false where there is more, or time ran out.'),
    texts: foundTexts.nullable().describe('Pages by the words on them; null where there is no index of texts.'),
  })
  .readonly();

/** What `search.json` answers: folders, chapters, images, and pages with the words that were found on them. */
import * as z from 'zod';
import { folderFacets, foundName, foundPosition } from '../../core/image/folder/folder-listing.ts';

const text = z.string();
const texts = z.array(text).readonly();
const count = z.int().min(0);
const positive = z.int().min(1);

/** A place of a page where searched words stand. */
export type FoundPlace = z.infer<typeof foundPlace>;
const foundPlace = z
  .strictObject({
    before: text.describe('Some words before.'),
    match: text.describe('The words as they are printed; those that a hyphen parts are joined.'),
    after: text.describe('Some words behind.'),
    boxes: z
      .array(z.tuple([z.int(), z.int(), z.int(), z.int()]).readonly())
      .readonly()
      .describe(
        'Where the words stand, a box for each line: left, top, width and height in pixels of the upright image; none for plain text.',
      ),
  })
  .readonly();

/** A page on whose text searched words stand. */
export type FoundPage = z.infer<typeof foundPage>;
const foundPage = z
  .strictObject({
    path: text.describe('The path inside the library: what `fn` takes.'),
    name: text.describe('The file’s name.'),
    label: text.nullable().describe('The label that the folder’s metadata gives it; null where it gives none.'),
    folder: text.describe('The path of the folder that contains it.'),
    way: texts.describe('The titles of the folders around it, from the first one below the root.'),
    place: foundPosition.nullable().describe('The position of the image in its folder.'),
    width: positive.describe('The width of the upright image in pixels, which the boxes count.'),
    height: positive,
    count: positive.describe('How many times searched words stand on it.'),
    hits: z.array(foundPlace).readonly().describe('The places in reading order; the first ones where there are many.'),
  })
  .readonly();

/** A part of the pages on whose texts searched words stand. */
export type FoundTexts = z.infer<typeof foundTexts>;
export const foundTexts = z
  .strictObject({
    total: count.describe('How many pages the caller may see on whose texts the words stand.'),
    exact: z.boolean().describe('Whether that is all; false where there are more, or too many to check each.'),
    next: positive.nullable().describe('The value of `from` for the next pages; null behind the last one.'),
    pages: z.array(foundPage).readonly(),
  })
  .readonly();

/** The answer of `GET {base_url}/api/search.json`. */
export type SearchAnswer = z.infer<typeof searchAnswer>;
export const searchAnswer = z
  .strictObject({
    query: text,
    found: z.array(foundName).readonly().describe('Folders, chapters and images; none where `within` was sent.'),
    complete: z.boolean().describe('Whether everything was searched; false where there is more, or time ran out.'),
    facets: folderFacets
      .optional()
      .describe(
        'What can be chosen among the folders of what was found by names, where the request orders, chooses or has `facets=1`.',
      ),
    texts: foundTexts.nullable().describe('Pages by the words on them; null where there is no index of texts.'),
  })
  .readonly();

/**
 * What `folder.json` and `search.json` answer: schemas, from which both the types and the API description come. The web
 * package imports the types alone, so that its bundle has no zod.
 */
import * as z from 'zod';

const text = z.string();
const texts = z.array(text).readonly();
const count = z.int().min(0);
const positive = z.int().min(1);
const path = text.describe('The path inside the library; empty for its root.');
const title = text.describe('The title; empty for a root that its metadata does not name.');
const pixels = positive.nullable().describe('In upright pixels of the highest resolution; null for unreadable files.');

const fraction = z.number().min(0).max(1);
const region = z.strictObject({ x: fraction, y: fraction, width: fraction, height: fraction }).readonly();

/** A line of a folder's metadata: paragraphs in the language of the request. */
export type ShownText = z.infer<typeof shownText>;
const shownText = z.strictObject({ label: text, value: texts }).readonly();

/** A page elsewhere, with the text of its link. */
export type ShownLink = z.infer<typeof shownLink>;
const shownLink = z.strictObject({ address: text, label: text }).readonly();

/** A folder with its title: the path of a breadcrumb. */
export type FolderLink = z.infer<typeof folderLink>;
const folderLink = z.strictObject({ path, title }).readonly();

/** A folder inside of the listed one. */
export type FolderCard = z.infer<typeof folderCard>;
const folderCard = z
  .strictObject({
    path,
    title,
    name: text,
    summary: text.describe('The first paragraph of its summary; empty where it has none.'),
    images: count.describe('The number of image files in it.'),
    folders: count.describe('The number of folders in it.'),
    cover: text.nullable().describe('The path of an image that represents it; null where none was found near its top.'),
  })
  .readonly();

/** A detail of an image, for the top of the start page. */
export type FrontPicture = z.infer<typeof frontPicture>;
const frontPicture = z
  .strictObject({
    path,
    title: text.describe('The title of the folder that it is from; empty where the settings name the image.'),
    region: region.describe('The detail, in fractions of the image’s width and height.'),
    width: positive.describe('The width of the detail, in pixels of the image.'),
    height: positive,
  })
  .readonly();

/** An image file of the folder. */
export type ImageCard = z.infer<typeof imageCard>;
const imageCard = z
  .strictObject({
    path: text.describe('The path inside the library with the extension of the file: what `fn` takes.'),
    name: text.describe('The file’s name with its extension.'),
    pn: positive.describe('Its page number for `pn`.'),
    label: text.describe('Its label, as in the manifest: from the metadata, or else its name or number.'),
    width: pixels,
    height: pixels,
    pages: positive.describe('How many pages the file has; those after the first are named `scan.tif;2`.'),
    truncated: z.boolean().describe('Whether a part of the file’s pixels is missing, as far as its header tells.'),
    hasText: z
      .boolean()
      .describe('Whether there is a text of its first page, so that `api/text/{path}.json` has its words.'),
    annotated: z
      .array(positive)
      .readonly()
      .describe('The pages inside of it that have annotations, which its manifest lists.'),
    mapped: z
      .array(positive)
      .readonly()
      .exactOptional()
      .describe('The pages inside of it that have a place on the map, which its manifest lists; absent for none.'),
    layers: z
      .array(z.strictObject({ path, label: text }).readonly())
      .readonly()
      .exactOptional()
      .describe('The images that lie over each other on its page, from the lowest, itself among them; absent for one.'),
    tier: z
      .strictObject({
        name: text.describe('What stands behind its identifier in IIIF addresses: `;tier=` and this name.'),
        originals: z.boolean().describe('Whether its file is sent.'),
        documents: z.boolean().describe('Whether it is in PDF documents and ZIP archives.'),
      })
      .readonly()
      .exactOptional()
      .describe('Present where the caller may not see the whole image: the tier that has these pixels.'),
    covered: z
      .literal(true)
      .exactOptional()
      .describe('Present where something of it, or of another page of its file, is redacted: its file is not sent.'),
  })
  .readonly();

/** A chapter of a folder, with the page at which it begins. */
export type ContentsEntry = z.infer<typeof contentsEntry>;
export const contentsEntry = z.strictObject({
  label: text,
  path: text.describe('The path of its first page: what `fn` takes.'),
  at: positive.describe('The position of that page’s file in the folder, from 1.'),
  page: text.describe('The label of that page.'),
  region: region
    .describe('The part of that page’s image that it is, in fractions of its width and height; absent for whole pages.')
    .exactOptional(),
  get contents(): z.ZodReadonly<z.ZodArray<typeof contentsEntry>> {
    return z.array(contentsEntry).readonly().describe('The chapters inside of it, of the same form.');
  },
});

/** The order in which a folder is read. */
export type ReadingDirection = z.infer<typeof readingDirection>;
const readingDirection = z.enum(['left-to-right', 'right-to-left']);

/** A page that has no page facing it. */
export type UnpairedPage = z.infer<typeof unpairedPage>;
const unpairedPage = z
  .strictObject({
    at: positive.describe('The position of the page’s file in the folder, from 1.'),
    page: positive.describe('The page inside of its file, from 1.'),
    behavior: z.enum(['non-paged', 'facing-pages']).describe('As in the manifest.'),
  })
  .readonly();

export type MediaCard = z.infer<typeof mediaCard>;
const mediaCard = z
  .strictObject({
    path,
    label: text.describe('Its label from the metadata, or its file’s name.'),
    kind: z.enum(['sound', 'video']),
    duration: z.number().nullable().describe('In seconds; null where its file does not tell.'),
    image: path.nullable().describe('The image of the same name beside it.'),
  })
  .readonly();

export type TourListed = z.infer<typeof tourListed>;
const tourListed = z
  .strictObject({
    path: text.describe('The path of the file inside the library: its address is `tours/{path}`.'),
    title: text.describe('Its title, or its file’s name.'),
    summary: text,
    page: text.describe(
      'The page of the first view that the caller may see: its path, of another host as the reading room names it.',
    ),
    view: text.describe('The parameters of that view.'),
  })
  .readonly();

/** The answer of `GET {base_url}/api/folder.json`: a folder with the requested part of its images and folders. */
export type FolderListing = z.infer<typeof folderListing>;
const facetValue = z
  .strictObject({ value: text, count: z.int().min(1).describe('How many folders have it.') })
  .readonly();

/** What can be chosen among some folders. */
export type FolderFacets = z.infer<typeof folderFacets>;
export const folderFacets = z
  .strictObject({
    authors: z.array(facetValue).readonly(),
    languages: z.array(facetValue).readonly(),
    years: z
      .strictObject({ from: z.int(), to: z.int() })
      .readonly()
      .nullable()
      .describe('From the first to the last year; null where no date names any.'),
  })
  .readonly();

export const folderListing = z
  .strictObject({
    path,
    title,
    summary: texts,
    metadata: z.array(shownText).readonly(),
    attribution: texts.describe('Who must be named: the value of the required statement.'),
    rights: text.nullable().describe('The address of a license or rights statement.'),
    homepage: z.array(shownLink).readonly().describe('Pages about it elsewhere.'),
    direction: readingDirection,
    behavior: texts.describe('How the folder is presented, as in its manifest; `paged` for a bound book.'),
    unpaired: z.array(unpairedPage).readonly().describe('All its pages that stand alone in a bound book.'),
    contents: z
      .array(contentsEntry)
      .readonly()
      .describe('All its chapters, as its manifest has them, whichever part was requested.'),
    parents: z.array(folderLink).readonly().describe('The folders around it, the root first.'),
    folders: z.array(folderCard).readonly().describe('The folders inside of it that belong to the requested part.'),
    totalFolders: count.describe(
      'How many there are; with `author`, `language`, `after` or `before`, of those that are meant.',
    ),
    facets: folderFacets
      .nullable()
      .optional()
      .describe(
        'What can be chosen among its folders, where the request orders, chooses or has `facets=1`; null where these are too many.',
      ),
    front: frontPicture
      .nullable()
      .describe('The picture of the start page; null for other folders and without images.'),
    images: z.array(imageCard).readonly().describe('Its images in reading order, from the position `from` on.'),
    totalImages: count,
    media: z
      .array(mediaCard)
      .readonly()
      .optional()
      .describe('Its sound and video, whichever part was requested; absent for none.'),
    tours: z
      .array(tourListed)
      .readonly()
      .optional()
      .describe('Guided views beside its images, whichever part was requested; absent for none.'),
    from: positive.describe('The position of the first image and folder of this part.'),
    at: positive
      .nullable()
      .describe('The position, from 1, of the image that `fn` with `pn` or `label` names; null for a folder.'),
  })
  .readonly();

/** The position of an image among those of its folder that the caller may see. */
export const foundPosition = z.strictObject({ at: positive, total: count }).readonly();

/** The text in which the searched words were found. */
export type FoundReason = z.infer<typeof foundReason>;
const foundReason = z
  .strictObject({
    kind: z
      .enum(['title', 'name', 'label', 'summary', 'metadata', 'chapter'])
      .describe('A folder’s title, a name of a folder or file, the label of an image, or a text of the metadata.'),
    label: text.describe('The label of a pair of metadata; empty for other texts.'),
    text: text.describe('The text, or the part of it around the words.'),
  })
  .readonly();

/** A folder, an image, or a chapter whose name or metadata contains the searched text. */
export type FoundName = z.infer<typeof foundName>;
export const foundName = z
  .strictObject({
    kind: z.enum(['folder', 'image', 'chapter']),
    path: path.describe('Its path inside the library; of a chapter, that of its first page.'),
    name: text.describe('The title of a folder or a chapter, or the file’s name.'),
    reason: foundReason,
    label: text
      .nullable()
      .describe('The label that the folder’s metadata gives an image; null where it gives none, and for folders.'),
    place: foundPosition
      .nullable()
      .describe('The position of an image in its folder; null for folders, and where finding it would take too long.'),
    folder: text.describe('The path of the folder that contains it.'),
    way: texts.describe(
      'The titles of the folders around it, from the first one below the root to the one that contains it.',
    ),
    cover: text.nullable().describe('The path of an image to show with it: itself, or a folder’s cover.'),
  })
  .readonly();

/** The reading room's addresses in the API description: its pages, their scripts and styles, and the lists that they request. */

import {
  type ApiPart,
  contentIn,
  contentOf,
  type Example,
  inPath,
  inQuery,
  jsonContent,
  type Operation,
  page,
  type Schema,
  taggedAnswers,
} from '../../core/http/openapi/operation.ts';
import { schemasOf } from '../../core/http/openapi/schemas-of.ts';
import { folderListing } from '../../core/image/folder/folder-listing.ts';
import { wishNames } from '../../core/image/folder/folder-wish.ts';
import { unitList } from '../../core/image/model/units.ts';
import { folderCounts, folderPath } from './browse-routes.ts';
import { oldViewerPaths } from './old-viewers.ts';
import { llmsPath, robotsPath, sitemapPartPath, sitemapPath } from './sitemap-routes.ts';
import { unitsPath } from './units-route.ts';
import { elementName, type WebAssets } from './web-assets.ts';

type Described = Pick<Operation, 'id' | 'paths' | 'summary' | 'description' | 'parameters'>;

const described =
  'Its HTML says what it shows to programs without scripts: title, description, citation metadata, JSON-LD, a picture, and links to the pages around it.';

/** Pages of what the library has. */
const pages: readonly Described[] = [
  { id: 'startPage', paths: ['/', '/browse'], summary: 'The library in the reading room', description: described },
  {
    id: 'browse',
    paths: ['/browse/{folder}'],
    summary: 'A folder of the library in the reading room',
    description: described,
    parameters: ['folder'],
  },
  {
    id: 'view',
    paths: ['/view/{path}'],
    summary: 'An image in the reading room',
    description: `The query gives the region, rotation and colors in digilib’s parameter names. ${described}`,
    parameters: ['path'],
  },
  {
    id: 'compare',
    paths: ['/compare'],
    summary: 'Two to four images beside or over each other in the reading room',
    description:
      'The query has the parameters of a view for each image, after its number: `1.fn`, `1.rot`, `2.fn`; and `layout`, `pair`, `position`, `move`.',
  },
  {
    id: 'desk',
    paths: ['/desk'],
    summary: 'What a reader keeps in the browser: books to go on with, bookmarks, details and notes',
    description:
      'The server knows nothing of it. The query may have `q`, words to find in the notes, and `book`, the path of a folder.',
  },
  {
    id: 'lightTable',
    paths: ['/light-table'],
    summary: 'Images, details and notes at free places in the reading room',
    description:
      'The query has a parameter for each thing, from the lowest one on: of an image `1=x/y/width/rotation/group,region,path`, of a note `2n=x/y/width,text`, in mm and degrees; and `view`, what is seen. The server knows nothing of it.',
  },
  {
    id: 'viewOther',
    paths: ['/view'],
    summary: 'A page of another host’s manifest, or what a IIIF content state points to, in the reading room',
    description:
      'The query has `manifest` with the address of a IIIF Presentation 2 or 3 manifest and `canvas` with the id of a canvas, or `iiif-content` with a content state (IIIF Content State 1.0). The browser fetches the manifest, from hosts that the setting `readingRoom.manifests` allows.',
  },
  {
    id: 'oldViewer',
    paths: oldViewerPaths,
    summary: 'Links to digilib’s viewers and contact sheets, opened in the reading room',
    description: 'The query is that of the old viewers. A site’s own page of this name takes precedence.',
  },
];

const pageAnswers = taggedAnswers('A page for people.', page);

const embed = {
  id: 'embed',
  paths: ['/embed/{path}'],
  summary: 'The viewer alone, for embedding in other pages',
  description: 'The setting `readingRoom.embedAncestors` names the sites that may.',
  parameters: ['path'],
  answers: taggedAnswers(
    'A page for people. It is also sent where the library has no such image, and then says so.',
    page,
  ),
  errors: 'any',
} as const;

const embedOther = {
  id: 'embedOther',
  paths: ['/embed'],
  summary: 'A page of another host’s manifest in the viewer alone, for embedding in other pages',
  description: 'The query is that of `/view`.',
  answers: pageAnswers,
  errors: 'any',
} as const;

const xml = contentIn(['application/xml'], contentOf());

/** For programs that visit all pages. */
const forCrawlers = [
  {
    id: 'robots',
    paths: [robotsPath],
    summary: 'Which addresses search engines may visit, and where the sitemap is',
    description: 'Also at the root, outside of the context path. A site’s own file of this name takes precedence.',
    answers: { 200: { description: 'RFC 9309.', content: contentIn(['text/plain'], contentOf()) } },
    errors: 'any',
  },
  {
    id: 'llms',
    paths: [llmsPath],
    summary: 'Where programs that read for models find lists and data sets',
    description: 'Also at the root, outside of the context path. A site’s own file of this name takes precedence.',
    answers: { 200: { description: 'Markdown (llmstxt.org).', content: contentIn(['text/plain'], contentOf()) } },
    errors: 'any',
  },
  {
    id: 'sitemap',
    paths: [sitemapPath],
    summary: 'The parts of the sitemap: all pages that everyone may see',
    answers: { 200: { description: 'A sitemap index (sitemaps.org).', content: xml } },
    errors: 'any',
  },
  {
    id: 'sitemapPart',
    paths: [sitemapPartPath],
    summary: 'A part of the sitemap, of up to 50,000 addresses',
    description: 'It begins at the page that the query names, and is written while it is sent.',
    parameters: ['sitemap.folder', 'sitemap.from'],
    answers: { 200: { description: 'A sitemap (sitemaps.org).', content: xml } },
    errors: 'hidden',
  },
] as const;

const assets = {
  id: 'readingRoomPart',
  paths: ['/room/{part}'],
  summary: 'A script, style sheet or icon of the reading room',
  description: 'The name changes with the content, so that clients may cache it forever.',
  parameters: ['readingRoomPart'],
  answers: taggedAnswers('The file.', contentIn(['text/javascript', 'text/css', 'image/svg+xml'])),
  errors: 'hidden',
} as const;

const element = {
  id: 'viewerElement',
  paths: [`/${elementName}`],
  summary: 'The script that defines the element `<lectern-viewer>`',
  answers: taggedAnswers('The script.', contentIn(['text/javascript'])),
  errors: 'any',
} as const;

const folderParameters = ['fn', 'pn', 'label', 'from', 'count', 'lang'].map((name) => `readingRoom.${name}`);

/** The order of folders, and which of them. */
const wishParameters = [...wishNames, 'facets'].map((name) => `readingRoom.${name}`);

const lists = [
  {
    id: 'folder',
    paths: [folderPath],
    summary: 'A folder with a part of its images and folders',
    description: 'Images come in the order of the folder’s manifest, with its labels.',
    parameters: [...folderParameters, ...wishParameters, 'id_token'],
    answers: taggedAnswers('What the caller may see of the folder.', jsonContent('FolderListing')),
    errors: 'readingRoom',
  },
  {
    id: 'units',
    paths: [unitsPath],
    summary: 'Units of length that the site adds to those of the reading room',
    description: 'They come from the file that the setting `readingRoom.units` names; without it the list is empty.',
    answers: taggedAnswers('The units.', jsonContent('UnitList')),
    errors: 'any',
  },
] as const;

/** All of them; `hasElement` tells whether the script of `<lectern-viewer>` was built. */
const operationsOf = (hasElement: boolean, hasLlms: boolean): readonly Operation[] =>
  [
    ...pages.map((one) => ({ ...one, answers: pageAnswers, errors: 'page' }) as const),
    embed,
    embedOther,
    ...forCrawlers.filter(({ id }) => hasLlms || id !== 'llms'),
    assets,
    ...(hasElement ? [element] : []),
    ...lists,
  ].map((operation) => ({ ...operation, tag: 'reading room' }));

const text: Schema = { type: 'string', default: '' };
const position: Schema = { type: 'integer', minimum: 1 };
const { usual, most } = folderCounts;

export const apiPart = (
  { image }: Example,
  { assets: files, element: script }: WebAssets,
  hasLlms: boolean,
): ApiPart => ({
  operations: operationsOf(script !== undefined, hasLlms),
  parameters: {
    readingRoomPart: inPath(
      'part',
      'The file name, as the page refers to it.',
      { type: 'string', minLength: 1 },
      [...files.keys()][0] ?? 'index.js',
    ),
    'sitemap.folder': inQuery('folder', 'The path of the folder with whose pages the part begins.', text),
    'sitemap.from': inQuery('from', 'The position of its first image in that part; 0 for the folder’s own page.', {
      type: 'integer',
      minimum: 0,
      default: 0,
    }),
    'readingRoom.fn': inQuery(
      'fn',
      'The path of a folder, or of an image in it; empty for the whole library.',
      text,
      image,
    ),
    'readingRoom.pn': inQuery(
      'pn',
      'The page of the folder to find, from 1: the answer has its position as `at`.',
      position,
    ),
    'readingRoom.label': inQuery(
      'label',
      'The label of the page to find, in any case of letters; it takes precedence over `pn`.',
      text,
    ),
    'readingRoom.from': inQuery(
      'from',
      'The position of the first image and folder of the answer, from 1. Without it, the part that contains the image named.',
      position,
    ),
    'readingRoom.count': inQuery('count', `The number of images and folders in the answer; ${most} at most.`, {
      ...position,
      default: usual,
    }),
  },
  schemas: schemasOf({ FolderListing: folderListing, UnitList: unitList }),
});

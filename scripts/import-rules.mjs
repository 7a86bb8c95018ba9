// Which folders may import which: test/unit/import-rules.test.ts checks it, and CONTRIBUTING.md shows it as a table.

/**
 * A folder with a rule. Its files and those of its subfolders may import each other, but for subfolders that have a rule
 * of their own.
 *
 * @typedef {object} Room
 * @property {string} path From the root of the repository.
 * @property {string} purpose For the table.
 * @property {readonly string[]} imports The rooms that it may import from.
 * @property {readonly string[]} [types] The rooms of which it may import types alone.
 * @property {boolean} [isPure] Whether it does without Node, packages but zod, clock, environment, chance and logger.
 */

const image = ['src/image/model', 'src/image/plan', 'src/image/folder', 'src/image/page-text'];
const dialects = ['src/digilib', 'src/iiif'];
const http = ['src/http', 'src/http/fast-path', 'src/http/routes', 'src/http/openapi'];
const stores = ['src/cache', 'src/pyramids'];
const parts = ['src/library', 'src/access', 'src/render', ...stores];
const everything = [
  ...image,
  ...dialects,
  'src/pages',
  'src/text',
  'src/storage',
  'src/search',
  ...parts,
  'src/pdf',
  'src/service',
  ...http,
  'src/config',
];

/** What the reading room shares with the server. */
const shared = [...image, ...dialects];
const below = [...shared, 'web/src/model', 'web/src/data', 'web/src/stage', 'web/src/messages', 'web/src/state'];
const common = [...below, 'web/src/ui/common'];
/** @param {readonly string[]} names */
const ui = (...names) => names.map((name) => `web/src/ui/${name}`);
const panels = ['about', 'annotations', 'adjust', 'cite', 'embed', 'measure', 'notes', 'overlay', 'print', 'text'];

/** @type {readonly Room[]} */
export const rooms = [
  {
    path: 'src/image/model',
    purpose: 'what both dialects share: identifier, request, image set, geometry, color, formats, limits, errors',
    imports: [],
    isPure: true,
  },
  {
    path: 'src/image/plan',
    purpose: 'decides how a picture is made, as plain data',
    imports: ['src/image/model'],
    isPure: true,
  },
  {
    path: 'src/image/folder',
    purpose: 'a folder as it is shown: listing, metadata, page labels, chapters',
    imports: ['src/image/model'],
    isPure: true,
  },
  {
    path: 'src/image/page-text',
    purpose: 'the words of a page and where they stand',
    imports: ['src/image/model'],
    isPure: true,
  },
  { path: 'src/digilib', purpose: 'the digilib dialect, text to model and back', imports: image, isPure: true },
  {
    path: 'src/iiif',
    purpose: 'the IIIF dialects: image, info.json, presentation',
    imports: image,
    isPure: true,
  },
  {
    path: 'src/pages',
    purpose: 'what the server itself says in the reading room’s HTML, in robots.txt and in sitemaps',
    imports: [...image, 'src/iiif'],
    isPure: true,
  },
  {
    path: 'src/text',
    purpose: 'XML with its encodings, text that may be malformed, and the nearest of some names',
    imports: [],
  },
  {
    path: 'src/storage',
    purpose: 'a bounded folder on disk that survives crashes; which disks are local, and which answer',
    imports: image,
  },
  {
    path: 'src/library',
    purpose: 'finds images and folders, reads their headers and metadata',
    imports: [...image, 'src/storage', 'src/text'],
  },
  {
    path: 'src/search',
    purpose: 'folds words, and finds the pages that have them: an embedded search engine, and OpenSearch',
    imports: image,
  },
  { path: 'src/access', purpose: 'who may see what', imports: [...image, 'src/storage'] },
  {
    path: 'src/render',
    purpose: 'plan to bytes: libvips and the render processes',
    imports: [...image, 'src/storage'],
  },
  { path: 'src/cache', purpose: 'pictures that were made, in memory and on disk', imports: [...image, 'src/storage'] },
  {
    path: 'src/pdf',
    purpose: 'PDF documents: written from plain data, page by page, and kept',
    imports: [...image, 'src/storage'],
  },
  {
    path: 'src/pyramids',
    purpose: 'derived pyramids: queue, build, compare',
    imports: [...image, 'src/storage', 'src/render'],
  },
  {
    path: 'src/service',
    purpose: 'the use cases: admit, derive a picture, describe, search, present',
    imports: [...image, ...dialects, 'src/search', 'src/pdf'],
    types: [...parts, 'src/storage', 'src/pages'],
  },
  {
    path: 'src/http',
    purpose: 'the server, its errors, negotiation',
    imports: [
      ...dialects,
      ...image,
      'src/pages',
      'src/service',
      'src/text',
      'src/http/fast-path',
      'src/http/routes',
      'src/http/openapi',
    ],
    types: ['src/access', 'src/pdf'],
  },
  {
    path: 'src/http/fast-path',
    purpose: 'what is answered before Fastify',
    imports: [...dialects, ...image, 'src/service', 'src/http'],
    types: ['src/access', 'src/pdf'],
  },
  {
    path: 'src/http/routes',
    purpose: 'one Fastify plugin for each group of addresses',
    imports: [
      ...dialects,
      ...image,
      'src/pages',
      'src/service',
      'src/text',
      'src/storage',
      'src/http',
      'src/http/fast-path',
    ],
    types: ['src/access', 'src/pdf'],
  },
  {
    path: 'src/http/openapi',
    purpose: 'the description of all addresses',
    imports: [...dialects, ...image, 'src/service', 'src/http', 'src/http/routes'],
  },
  {
    path: 'src/config',
    purpose: 'the schema of the settings and their sources',
    imports: ['src/text', 'src/storage', 'src/image/folder'],
    types: image,
  },
  { path: 'src/app', purpose: 'opens the parts and connects them', imports: everything },
  {
    path: 'src/cli',
    purpose: 'the command `lectern`, a folder for each subcommand',
    imports: [...everything, 'src/app'],
  },
  {
    path: 'web/src/model',
    purpose: 'what the reading room computes: view, marks, measures, addresses',
    imports: shared,
    isPure: true,
  },
  { path: 'web/src/data', purpose: 'asks the server', imports: [...shared, 'web/src/model'] },
  {
    path: 'web/src/stage',
    purpose: 'the image on the screen',
    imports: [...shared, 'web/src/model', 'web/src/data'],
  },
  { path: 'web/src/messages', purpose: 'all texts, in every language', imports: [] },
  {
    path: 'web/src/state',
    purpose: 'the signals that pages and panels share',
    imports: [...shared, 'web/src/model', 'web/src/data', 'web/src/stage', 'web/src/messages'],
  },
  { path: 'web/src/ui/common', purpose: 'what all pages and panels share', imports: below },
  { path: 'web/src/ui/text', purpose: 'the text of a page, and the search in a book', imports: common },
  ...ui('annotations', 'open-with', 'adjust', 'embed').map((path) => ({
    path,
    purpose: 'a panel',
    imports: common,
  })),
  { path: 'web/src/ui/notes', purpose: 'a panel', imports: [...common, ...ui('text')] },
  { path: 'web/src/ui/measure', purpose: 'a panel', imports: [...common, ...ui('notes')] },
  {
    path: 'web/src/ui/overlay',
    purpose: 'what is drawn over the image',
    imports: [...common, ...ui('notes', 'measure')],
  },
  {
    path: 'web/src/ui/print',
    purpose: 'a view or a folder on paper',
    imports: [...common, ...ui('notes', 'measure', 'overlay')],
  },
  { path: 'web/src/ui/cite', purpose: 'a panel', imports: [...common, ...ui('print', 'text')] },
  ...ui('about', 'browse', 'table').map((path) => ({
    path,
    purpose: 'a page or panel',
    imports: [...common, ...ui('open-with', 'print')],
  })),
  { path: 'web/src/ui/view', purpose: 'the page of an image', imports: [...common, ...ui(...panels)] },
  {
    path: 'web/src/ui/compare',
    purpose: 'the page of compared images, with tools of the page of an image',
    imports: [...common, ...ui(...panels, 'view')],
  },
  {
    path: 'web/src/ui',
    purpose: 'chooses the page for the address',
    imports: [...common, ...ui('browse', 'compare', 'table', 'view')],
  },
  { path: 'web/src/embed', purpose: 'the element for other sites', imports: ['web/src/model'] },
  { path: 'web/src', purpose: 'starts the reading room', imports: [...common, 'web/src/ui'] },
  {
    path: 'packages/jpeg/src',
    purpose: 'JPEG files without decoding them: segments, lossless crops and splices, and decoding of parts',
    imports: [],
    isPure: true,
  },
];

/** Imports that break a rule for now, as `file → file`. */
export const exceptions = [];

/** Circles of imports that exist for now: all files of each, in alphabetical order.
 *
 * @type {readonly (readonly string[])[]}
 */
export const circles = [];

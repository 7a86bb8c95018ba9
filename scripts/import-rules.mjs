// Which folders may import which, which test/unit/import-rules.test.ts checks, and what each does, which CONTRIBUTING.md shows as a table.

/**
 * A folder with a rule. Its files and those of its subfolders may import each other, but for subfolders that have a rule
 * of their own.
 *
 * @typedef {object} Room
 * @property {string} path From the root of the repository.
 * @property {string} purpose For the table.
 * @property {readonly string[]} imports The rooms that it may import from.
 * @property {readonly string[]} [types] The rooms of which it may import types alone.
 * @property {boolean} [isPure] Whether it does without Node, packages but zod and the model of `@lectern/jpeg2000`, clock, environment, chance and logger.
 */

const image = [
  'src/core/image/model',
  'src/core/image/plan',
  'src/core/image/folder',
  'src/core/image/page-text',
  'src/core/image/addresses',
  'src/core/image/tour',
];
const stores = ['src/core/cache', 'src/core/pyramids'];
const parts = ['src/core/library', 'src/core/access', 'src/core/render', ...stores];
const core = [
  ...image,
  'src/core/parsing',
  'src/core/tracing',
  'src/core/storage',
  ...parts,
  'src/core/folder-descriptions',
  'src/core/answers',
  'src/core/http',
  'src/core/http/fast-path',
  'src/core/http/openapi',
  'src/core',
];
/** What each feature adds, with its addresses. */
const featurePurposes = {
  catalogue: 'what is in buckets, in PostgreSQL: filled, told of changes, searched (`/catalogue/events`)',
  digilib:
    'digilib’s Scaler, Texter and information endpoints (`/Scaler`, `/api/dlInfo-json.jsp` …), and their parameters',
  'sign-in': 'people sign in at a provider of OpenID Connect or with passwords (`/sign-in`, `/sign-out`)',
  'iiif-auth': 'IIIF Authorization Flow 2.0 and Authentication 1.0, for viewers of other sites (`/iiif-auth`)',
  audit: 'records who saw what, as lines of JSON',
  'signed-links': 'links that open an image or a folder for one recipient until a date (`/api/links`)',
  shield: 'crawlers share the render queue with each other, and not with every reader',
  'iiif-image': 'the IIIF Image API (`/iiif/3`, `/iiif/2`, `/iiif/1`)',
  presentation: 'manifests, collections and annotations (`/presentation/3`, `/presentation/2`, `/Manifester`)',
  discovery: 'all manifests with their changes, as IIIF Change Discovery (`/activity/all-changes.json`)',
  purge: 'tells proxies and CDNs what has changed, so that they forget it (`/api/purge`)',
  texts: 'the words of pages from ALTO, PAGE, hOCR and plain text (`/api/text`)',
  media: 'files of sound and video beside scans, by ranges, with their captions (`/media`)',
  tours: 'guided views beside scans, also as annotations for other viewers (`/tours`)',
  search:
    'the index of texts, searches of the library and the IIIF Content Search (`/api/search.json`, `/content-search`)',
  documents: 'folders as PDF and ZIP (`/pdf`, `/zip`, `/PDFCache`)',
  'reading-room':
    'the reading room’s pages and lists (`/view`, `/browse`, `/api/folder.json`), old viewers, the sitemap',
  duty: 'who costs what, for the person on duty, who can hold a network (`/admin`)',
  operations: 'health, metrics and the configuration page (`/healthz`, `/readyz`, `/metrics`, `/server/dlConfig.jsp`)',
};
const features = Object.keys(featurePurposes).map((name) => `src/features/${name}`);

/** What the reading room shares with the server. */
const shared = [...image, ...features];
const below = [...shared, 'web/src/model', 'web/src/data', 'web/src/stage', 'web/src/messages', 'web/src/state'];
const common = [...below, 'web/src/ui/common'];
/** @param {readonly string[]} names */
const ui = (...names) => names.map((name) => `web/src/ui/${name}`);
const panels = [
  'about',
  'annotations',
  'adjust',
  'cite',
  'contents',
  'desk',
  'embed',
  'layers',
  'map',
  'measure',
  'notes',
  'overlay',
  'print',
  'text',
  'tour',
];

/** @type {readonly Room[]} */
export const rooms = [
  {
    path: 'src/core/image/model',
    purpose: 'what both dialects share: identifier, request, image set, geometry, color, formats, limits, errors',
    imports: [],
    isPure: true,
  },
  {
    path: 'src/core/image/plan',
    purpose: 'decides how a picture is made, as plain data',
    imports: ['src/core/image/model'],
    isPure: true,
  },
  {
    path: 'src/core/image/folder',
    purpose: 'a folder as it is shown: listing, metadata, page labels, chapters',
    imports: ['src/core/image/model'],
    isPure: true,
  },
  {
    path: 'src/core/image/page-text',
    purpose: 'the words of a page and where they stand',
    imports: ['src/core/image/model'],
    isPure: true,
  },
  {
    path: 'src/core/image/addresses',
    purpose: 'how addresses name images, folders and pages',
    imports: ['src/core/image/model', 'src/core/image/folder'],
    isPure: true,
  },
  {
    path: 'src/core/image/tour',
    purpose: 'guided views: a chain of views with texts, and the annotations that it is for others',
    imports: ['src/core/image/model', 'src/core/image/folder'],
    isPure: true,
  },
  {
    path: 'src/core/parsing',
    purpose: 'XML with its encodings, text that may be malformed, and the nearest of some names',
    imports: [],
  },
  {
    path: 'src/core/tracing',
    purpose: 'spans of requests for OpenTelemetry, which is loaded only where it is switched on',
    imports: [],
  },
  {
    path: 'src/core/storage',
    purpose: 'where bytes are: disks and buckets; a bounded folder on disk that survives crashes',
    imports: [...image, 'src/core/tracing'],
  },
  {
    path: 'src/core/library',
    purpose: 'finds images and folders, reads their headers and metadata',
    imports: [...image, 'src/core/storage', 'src/core/parsing'],
  },
  {
    path: 'src/core/render',
    purpose: 'plan to bytes: libvips and the render processes',
    imports: [...image, 'src/core/storage'],
  },
  {
    path: 'src/core/pyramids',
    purpose: 'derived pyramids: queue, build, compare',
    imports: [...image, 'src/core/tracing', 'src/core/storage', 'src/core/render'],
  },
  {
    path: 'src/core/cache',
    purpose: 'pictures that were made, in memory and on disk',
    imports: [...image, 'src/core/storage'],
  },
  {
    path: 'src/core/access',
    purpose: 'who may see what: the only maker of Admitted',
    imports: [...image, 'src/core/tracing', 'src/core/storage'],
    types: ['src/core/library'],
  },
  {
    path: 'src/core/folder-descriptions',
    purpose: 'folders as manifests, lists and searches describe them: titles, covers, cards',
    imports: [...image, 'src/core/access'],
    types: ['src/core/library'],
  },
  {
    path: 'src/core/answers',
    purpose: 'the use case of every picture: admit, plan, execute, cache',
    imports: [...image, 'src/core/tracing', 'src/core/access'],
    types: [...parts, 'src/core/storage'],
  },
  {
    path: 'src/core/http',
    purpose: 'the server, its errors, negotiation',
    imports: [
      ...image,
      'src/core/parsing',
      'src/core/tracing',
      'src/core/access',
      'src/core/answers',
      'src/core/http/fast-path',
      'src/core/http/openapi',
    ],
    types: ['src/core'],
  },
  {
    path: 'src/core/http/fast-path',
    purpose: 'what is answered before Fastify',
    imports: [...image, 'src/core/answers', 'src/core/http'],
    types: ['src/core/access'],
  },
  {
    path: 'src/core/http/openapi',
    purpose: 'the description of all addresses',
    imports: [...image, 'src/core/parsing', 'src/core/http'],
    types: ['src/core/access'],
  },
  {
    path: 'src/core',
    purpose: 'the contract of features, and the types through which they use each other',
    imports: [],
    types: [...core.filter((path) => path !== 'src/core'), 'src/config'],
  },
  ...Object.entries(featurePurposes).map(([name, purpose]) => ({
    path: `src/features/${name}`,
    purpose,
    imports: [...core, 'src/config'],
  })),
  {
    path: 'src/config',
    purpose: 'the settings of the core, and the sources of all settings',
    imports: ['src/core/parsing', 'src/core/storage', 'src/core/image/model', 'src/core/image/folder'],
    types: image,
  },
  { path: 'src/app', purpose: 'opens the parts and connects them', imports: [...core, ...features, 'src/config'] },
  {
    path: 'src/cli',
    purpose: 'the command `lectern`: its subcommands, and the work of each',
    imports: [...core, ...features, 'src/config', 'src/app'],
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
  ...ui('annotations', 'open-with', 'adjust', 'contents', 'desk', 'layers', 'map', 'embed', 'tour').map((path) => ({
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
  {
    path: 'web/src/ui/take',
    purpose: 'pages that a reader types, to print and to take along',
    imports: [...common, ...ui('print')],
  },
  { path: 'web/src/ui/cite', purpose: 'a panel', imports: [...common, ...ui('print', 'take', 'text')] },
  ...ui('about', 'browse', 'table').map((path) => ({
    path,
    purpose: 'a page or panel',
    imports: [...common, ...ui('open-with', 'print', 'take')],
  })),
  {
    path: 'web/src/ui/collection',
    purpose: 'the page of a collection of another host',
    imports: [...common, ...ui('about', 'browse')],
  },
  { path: 'web/src/ui/light-table', purpose: 'the page of images at free places', imports: [...common] },
  { path: 'web/src/ui/media', purpose: 'the page of sound or video', imports: common },
  {
    path: 'web/src/ui/view',
    purpose: 'the page of an image',
    imports: [...common, ...ui(...panels, 'collection', 'media')],
  },
  {
    path: 'web/src/ui/compare',
    purpose: 'the page of compared images, with tools of the page of an image',
    imports: [...common, ...ui(...panels, 'media', 'view')],
  },
  {
    path: 'web/src/ui',
    purpose: 'chooses the page for the address',
    imports: [...common, ...ui('browse', 'compare', 'desk', 'light-table', 'table', 'view')],
  },
  { path: 'web/src/embed', purpose: 'the element for other sites', imports: ['web/src/model'] },
  { path: 'web/src', purpose: 'starts the reading room', imports: [...common, 'web/src/ui'] },
  {
    path: 'packages/jpeg/src',
    purpose: 'JPEG files without decoding them: segments, lossless crops and splices, and decoding of parts',
    imports: [],
    isPure: true,
  },
  {
    path: 'packages/jpeg2000/src',
    purpose: 'JPEG 2000: boxes, code-streams, packets, and regions from the code-blocks that they need',
    imports: [],
  },
  {
    path: 'packages/switch/src',
    purpose: 'replays an access log against two servers, and says what differs',
    imports: [],
  },
  {
    path: 'packages/tiff/src',
    purpose: 'TIFF: directories, whether strips and tiles are in the file, and writers of small files',
    imports: [],
    isPure: true,
  },
];

/** Imports that break a rule for now, as `file → file`.
 *
 * @type {readonly string[]}
 */
export const exceptions = [];

/** Circles of imports that exist for now: all files of each, in alphabetical order.
 *
 * @type {readonly (readonly string[])[]}
 */
export const circles = [];

/** The table of all parameters that a digilib-config.xml can have, with the setting that each gives (digilib.md, section 7). */

/** How a value is written; the setting's own schema checks it. */
export type ValueForm = 'text' | 'number' | 'boolean' | 'version';

export type DigilibRule =
  /** It gives a setting; for the values of `except`, the setting's default holds, for the reason given. */
  | {
      readonly kind: 'setting';
      readonly setting: string;
      readonly form: ValueForm;
      readonly except?: Readonly<Record<string, string>>;
    }
  /** It gives a setting whose values have other names. */
  | { readonly kind: 'words'; readonly setting: string; readonly words: Readonly<Record<string, string>> }
  /** It is read together with other parameters, because one says how another counts. */
  | { readonly kind: 'group'; readonly setting: string }
  /** Lectern always behaves as with this value, for the reason given. */
  | { readonly kind: 'always'; readonly value: string; readonly reason: string }
  | { readonly kind: 'unused'; readonly reason: string };

const setting = (name: string, form: ValueForm, except?: Readonly<Record<string, string>>): DigilibRule => ({
  kind: 'setting',
  setting: name,
  form,
  ...(except === undefined ? {} : { except }),
});
const group = (name: string): DigilibRule => ({ kind: 'group', setting: name });
const always = (value: string, reason: string): DigilibRule => ({ kind: 'always', value, reason });
const unused = (reason: string): DigilibRule => ({ kind: 'unused', reason });

const crossOrigin = 'pages of any origin may read every answer, since viewers of other libraries need that';
const imageLibrary = 'all pictures are rendered by libvips';
const ownPages = 'the pages of PDFCache that are no document are Lectern’s own';
const metadata = 'metadata is read from index.meta and .meta files beside the images';

export const digilibParameters = {
  'basedir-list': group('library.folders'),
  'mapping-file': group('library.virtualFolders'),
  'use-mapping': group('library.virtualFolders'),

  'denied-image': group('digilib.errorPictures.denied'),
  'error-image': group('digilib.errorPictures.error'),
  'notfound-image': group('digilib.errorPictures.notFound'),
  'default-errmsg-type': setting('digilib.defaultErrorForm', 'text'),

  'default-quality': setting('digilib.defaultQuality', 'number'),
  'max-image-size': setting('limits.maxArea', 'number', {
    '0': 'a picture always has a largest area, that of the setting limits.maxArea',
  }),
  'sendfile-allowed': setting('digilib.sendFile', 'boolean'),
  'subsample-minimum': unused('the smallest stored resolution that suffices is read, and all of its pixels count'),
  'img-diskcache-allowed': unused('libvips needs no files of its own while it renders'),
  'docuimage-class': unused(imageLibrary),
  'docuimage-hacks': unused(imageLibrary),

  'use-authorization': group('access'),
  'auth-file': group('access'),
  'authn-token-cookie': group('access.tokenCookie'),
  'authnops-class': group('access'),
  'authzops-class': group('access'),
  'authops-class': group('access'),
  'auth-url-path': unused('addresses below /authenticated/ ask for the password of signIn.usersFile or signIn.users'),

  'iiif-api-version': setting('iiif.defaultVersion', 'version'),
  'iiif-prefix': setting('iiif.prefix', 'text'),
  'iiif-slash-replacement': setting('iiif.slash', 'text'),
  'iiif-info-cors': always('true', crossOrigin),
  'iiif-image-cors': always('true', crossOrigin),
  'iiif-manifest-page-label': {
    kind: 'words',
    setting: 'iiif.pageLabels',
    words: { filename: 'name', index: 'number' },
  },
  'webapp-base-url': group('http.publicAddress'),
  'iiif-image-base-url': group('http.publicAddress'),
  'iiif-manifest-base-url': group('http.publicAddress'),
  'scaler-servlet-name': always('Scaler', 'the Scaler has its own name at all addresses'),

  'worker-threads': setting('render.processes', 'number', {
    '0': 'there is always one process that renders at least, as many as the setting render.processes says',
  }),
  'max-waiting-threads': setting('render.maxWaiting', 'number'),
  'worker-timeout': setting('limits.deadlineMs', 'number', {
    '0': 'a rendering is always given up at some time, that of the setting limits.deadlineMs',
  }),

  'filemeta-class': always('digilib.meta.IndexMetaFileMeta', metadata),
  'dirmeta-class': always('digilib.meta.IndexMetaDirMeta', metadata),
  'docudirectory-class': always('digilib.io.BaseDirDocuDirectory', 'images are files below the base directories'),
  'storage-base-url': unused('images are files below the base directories'),
  'log-config-file': unused('the log is lines of JSON on standard output, as many as the setting logLevel says'),
  'debug-level': unused('the setting logLevel says how much is logged'),

  'text-default-dir': setting('digilib.textFolder', 'text'),
  'pdf-worker-threads': setting('pdf.workers', 'number', {
    '0': 'there is always one document that may be made, as many as the setting pdf.workers says',
  }),
  'pdf-max-waiting-threads': setting('pdf.maxWaiting', 'number'),
  'pdf-image-worker-threads': unused('pictures of documents are rendered by the processes that render all others'),
  'pdf-image-max-waiting-threads': unused('pictures of documents wait among all others'),
  'pdf-temp-dir': unused('documents are written where they are kept'),
  'pdf-cache-dir': group('pdf.directory'),
  'pdf-wip-page': unused(ownPages),
  'pdf-error-page': unused(ownPages),
  'pdf-ioerror-page': unused(ownPages),
  'pdf-logo': group('pdf.logo'),
  'pdf-header-title': setting('pdf.headerTitle', 'text'),
  'pdf-header-subtitle': setting('pdf.headerSubtitle', 'text'),
} as const satisfies Readonly<Record<string, DigilibRule>>;

export type DigilibParameter = keyof typeof digilibParameters;

export const digilibParameterNames = Object.keys(digilibParameters) as readonly DigilibParameter[];

/** Names that digilib uses internally and reads from no file. */
const isInternal = (name: string): boolean => /^(?:digilib|servlet|pdf\.servlet|text\.servlet)\./.test(name);

/** The rule of a parameter; undefined if digilib has no parameter of this name. */
export function ruleOf(name: string): DigilibRule | undefined {
  if (isInternal(name)) return unused('digilib itself takes it from no file');
  return Object.hasOwn(digilibParameters, name) ? digilibParameters[name as DigilibParameter] : undefined;
}

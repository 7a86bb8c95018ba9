/** The table of all parameters that a digilib-config.xml can have, and what becomes of each (digilib.md, section 7). */

/** What a value is written as; whether it is a right one, the setting's own schema says. */
export type ValueForm = 'text' | 'number' | 'boolean' | 'version';

/** Parameters that are read together, because one says how another counts. */
export type Group = 'folders' | 'pictures' | 'mapping' | 'access' | 'addresses';

export type DigilibRule =
  /** It gives a setting of Lectern's own; for `except`, the default of that setting holds, for the reason given. */
  | {
      readonly kind: 'setting';
      readonly setting: string;
      readonly form: ValueForm;
      readonly except?: Readonly<Record<string, string>>;
    }
  /** It gives a setting by other words. */
  | { readonly kind: 'words'; readonly setting: string; readonly words: Readonly<Record<string, string>> }
  /** It is read with others of its group, for a setting. */
  | { readonly kind: 'group'; readonly group: Group; readonly setting: string }
  /** Lectern always does what this value says; the reason is why it can't do otherwise. */
  | { readonly kind: 'always'; readonly value: string; readonly reason: string }
  | { readonly kind: 'unused'; readonly reason: string };

const setting = (name: string, form: ValueForm, except?: Readonly<Record<string, string>>): DigilibRule => ({
  kind: 'setting',
  setting: name,
  form,
  ...(except === undefined ? {} : { except }),
});
const group = (name: Group, of: string): DigilibRule => ({ kind: 'group', group: name, setting: of });
const always = (value: string, reason: string): DigilibRule => ({ kind: 'always', value, reason });
const unused = (reason: string): DigilibRule => ({ kind: 'unused', reason });

const crossOrigin = 'pages of any origin may read every answer, since viewers of other libraries need that';
const imageLibrary = 'all pictures are rendered by libvips';
const noPdf = 'no PDFs are made';
const metadata = 'metadata is read from index.meta and .meta files beside the images';

/** Every parameter by its name. */
export const digilibParameters = {
  'basedir-list': group('folders', 'folders'),
  'mapping-file': group('mapping', 'virtualFolders'),
  'use-mapping': group('mapping', 'virtualFolders'),

  'denied-image': group('pictures', 'errorPictures.denied'),
  'error-image': group('pictures', 'errorPictures.error'),
  'notfound-image': group('pictures', 'errorPictures.notFound'),
  'default-errmsg-type': setting('defaultErrorForm', 'text'),

  'default-quality': setting('defaultQuality', 'number'),
  'max-image-size': setting('maxArea', 'number', {
    '0': 'a picture always has a largest area, that of the setting maxArea',
  }),
  'sendfile-allowed': setting('sendFile', 'boolean'),
  'subsample-minimum': unused('the smallest stored resolution that suffices is read, and all of its pixels count'),
  'img-diskcache-allowed': unused('libvips needs no files of its own while it renders'),
  'docuimage-class': unused(imageLibrary),
  'docuimage-hacks': unused(imageLibrary),

  'use-authorization': group('access', 'access'),
  'auth-file': group('access', 'access'),
  'authn-token-cookie': group('access', 'access.tokenCookie'),
  'authnops-class': group('access', 'access'),
  'authzops-class': group('access', 'access'),
  'authops-class': group('access', 'access'),
  'auth-url-path': unused('no address stands for being logged in; a proxy names the roles by access.rolesHeader'),

  'iiif-api-version': setting('iiifDefaultVersion', 'version'),
  'iiif-prefix': setting('iiifPrefix', 'text'),
  'iiif-slash-replacement': setting('iiifSlash', 'text'),
  'iiif-info-cors': always('true', crossOrigin),
  'iiif-image-cors': always('true', crossOrigin),
  'iiif-manifest-page-label': { kind: 'words', setting: 'pageLabels', words: { filename: 'name', index: 'number' } },
  'webapp-base-url': group('addresses', 'publicAddress'),
  'iiif-image-base-url': group('addresses', 'publicAddress'),
  'iiif-manifest-base-url': group('addresses', 'publicAddress'),
  'scaler-servlet-name': always('Scaler', 'the Scaler has its own name at all addresses'),

  'worker-threads': setting('renderProcesses', 'number', {
    '0': 'there is always one process that renders at least, as many as the setting renderProcesses says',
  }),
  'max-waiting-threads': setting('maxWaiting', 'number'),
  'worker-timeout': setting('renderTimeoutMs', 'number', {
    '0': 'a rendering is always given up at some time, that of the setting renderTimeoutMs',
  }),

  'filemeta-class': always('digilib.meta.IndexMetaFileMeta', metadata),
  'dirmeta-class': always('digilib.meta.IndexMetaDirMeta', metadata),
  'docudirectory-class': always('digilib.io.BaseDirDocuDirectory', 'images are files below the base directories'),
  'storage-base-url': unused('images are files below the base directories'),
  'log-config-file': unused('the log is lines of JSON on standard output, as many as the setting logLevel says'),
  'debug-level': unused('the setting logLevel says how much is logged'),

  'text-default-dir': unused('no text files are served'),
  'pdf-worker-threads': unused(noPdf),
  'pdf-max-waiting-threads': unused(noPdf),
  'pdf-image-worker-threads': unused(noPdf),
  'pdf-image-max-waiting-threads': unused(noPdf),
  'pdf-temp-dir': unused(noPdf),
  'pdf-cache-dir': unused(noPdf),
  'pdf-wip-page': unused(noPdf),
  'pdf-error-page': unused(noPdf),
  'pdf-ioerror-page': unused(noPdf),
  'pdf-logo': unused(noPdf),
  'pdf-header-title': unused(noPdf),
  'pdf-header-subtitle': unused(noPdf),
} as const satisfies Readonly<Record<string, DigilibRule>>;

export type DigilibParameter = keyof typeof digilibParameters;

export const digilibParameterNames = Object.keys(digilibParameters) as readonly DigilibParameter[];

/** What digilib keeps beside its parameters under such names, its file can't set. */
const isInternal = (name: string): boolean => /^(?:digilib|servlet|pdf\.servlet|text\.servlet)\./.test(name);

/** What becomes of a parameter; undefined where digilib knows none of this name. */
export function ruleOf(name: string): DigilibRule | undefined {
  if (isInternal(name)) return unused('digilib itself takes it from no file');
  return Object.hasOwn(digilibParameters, name) ? digilibParameters[name as DigilibParameter] : undefined;
}

/** The one schema of all settings; flags win over the environment, the file, and last digilib's own files. */
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readDigilibConfig } from './digilib-config/read.ts';
import { problemsOnDisk, resolvePaths } from './files/paths.ts';
import { accessSchema, isAddressRange } from './groups/access.ts';
import { type Environment, readEnvironment } from './sources/environment.ts';
import { problemsOf } from './sources/problems.ts';
import { readSettingsFile } from './sources/settings-file.ts';
import { plainSource, type Source } from './sources/source.ts';
import { mergeTrees, type Tree, valueAt } from './sources/tree.ts';

/** What a person who starts the server did wrong, in one line each. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

const contextPath = z
  .string()
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => text === '' || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(text), 'must look like /digilib');

const folder = z.string().min(1, 'must be a path');

const port = z.int('must be a whole number').min(0, 'must be 0 to 65535').max(65_535, 'must be 0 to 65535');

const picture = z.string().min(1, 'must be a path').optional();

/** A link names something inside of the library, so it can't lead out of it, in whatever spelling. */
const isLink = (text: string): boolean =>
  !/[\0\\\uFFFD]|%(?:25|2e|2f|5c)/i.test(text) &&
  /[^/.]/.test(text) &&
  text.split('/').every((name) => name === '.' || !name.startsWith('.'));

const virtualFolder = z.strictObject({
  link: z
    .string()
    .refine(isLink, 'must be a path inside of the library, such as maps/atlas')
    .describe('the path under which the library shows the folder'),
  folder: folder.describe('the folder on the disk'),
});

const haveOwnLinks = (folders: readonly { readonly link: string }[]): boolean => {
  const links = folders.map(({ link }) =>
    link
      .split('/')
      .filter((name) => name !== '' && name !== '.')
      .join('/'),
  );
  return new Set(links).size === links.length;
};

/** A source of `frame-ancestors` (Content Security Policy 3, section 6.4.2): nothing in it can end the list or the directive. */
const isAncestor = (source: string): boolean =>
  source === '*' ||
  source === "'self'" ||
  /^[a-z][a-z0-9+.-]*:$/i.test(source) ||
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::(?:[0-9]+|\*))?\/?$/i.test(source);

const errorPictures = z.strictObject({
  notFound: picture.describe('for what is not there or can’t be read'),
  denied: picture.describe('for what the caller may not see'),
  error: picture.describe('for anything else'),
});

const gibibyte = 1024 ** 3;

const pyramidsSchema = z.strictObject({
  directory: folder
    .optional()
    .describe('where they are kept; by default lectern/pyramids in $XDG_CACHE_HOME, or in .cache of the home folder'),
  maxBytes: z
    .int()
    .min(0)
    .default(20 * gibibyte)
    .describe(
      'bytes that all of them together may have; those unused for the longest time go first. 0 for none at all',
    ),
  quality: z.int().min(50).max(95).default(85).describe('JPEG quality of their tiles'),
  automatic: z
    .boolean()
    .default(true)
    .describe('make one in the background after the first tiles of an image; without, only lectern pyramid does'),
});

const ownDirectory = z.union([folder, z.literal(false)], { error: 'must be a path, or false' });

const cacheSchema = z.strictObject({
  memoryBytes: z
    .int()
    .min(0)
    .default(128 * 2 ** 20)
    .describe('bytes of pictures that are kept in memory'),
  decodedBytes: z
    .int()
    .min(0)
    .default(48 * 2 ** 20)
    .describe('bytes of decoded tiles that each process that renders keeps: parts of one scan are asked for together'),
  directory: ownDirectory
    .optional()
    .describe(
      'pictures are kept on disk in lectern-derivatives in this folder; by default in lectern in the user’s cache directory, where that can be written; false keeps none on disk',
    ),
  maxBytes: z
    .int()
    .min(1)
    .default(4 * gibibyte)
    .describe('bytes of pictures that are kept on disk'),
});

const indexDefaults = { maxBytes: 2 ** 30, memoryBytes: 64 * 2 ** 20 };

const index = z.strictObject({
  directory: ownDirectory
    .optional()
    .describe(
      'a folder on a disk of this machine, which servers may share; by default lectern/index in the user’s cache directory, where that can be written; false keeps nothing on disk',
    ),
  maxBytes: z.int().min(1).default(indexDefaults.maxBytes).describe('bound of what is kept on disk, in bytes'),
  memoryBytes: z
    .int()
    .min(2 ** 20)
    .default(indexDefaults.memoryBytes)
    .describe('bound of what is known in memory, in bytes; an image takes about 900, the name of one about 60'),
});

/** Every setting with its default. */
export const settingsSchema = z.strictObject({
  folders: z
    .array(folder)
    .min(1, 'needs at least one folder')
    .describe('base directories; the first holds the highest resolution, the others prescaled versions'),
  virtualFolders: z
    .array(virtualFolder)
    .refine(haveOwnLinks, 'must not have the same link twice')
    .default([])
    .describe('paths of the library that lead to folders elsewhere on the disk'),
  port: port.default(8080).describe('TCP port; 0 takes any free one'),
  host: z.string().min(1).default('127.0.0.1').describe('address to listen on; 0.0.0.0 for all'),
  contextPath: contextPath.default('').describe('path below which everything is served, such as /digilib'),
  trustedProxies: z
    .array(z.string().refine(isAddressRange, 'must be addresses or ranges such as 10.0.0.0/8'))
    .default([])
    .describe('addresses of proxies whose Forwarded and X-Forwarded-Proto, -Host, -Prefix count'),
  publicAddress: z
    .string()
    .regex(
      /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/,
      'must look like https://library.example or https://library.example/images',
    )
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .describe(
      'what stands before the server’s paths for those who ask; by default as the request or a trusted proxy says',
    ),
  webapp: folder.optional().describe('a folder of static pages that are served beside the APIs'),
  embedAncestors: z
    .array(z.string().refine(isAncestor, 'must be a source such as https://library.example, *.library.example or *'))
    .default(['*'])
    .describe(
      'sites whose pages may show the viewer at /embed/ inside of themselves, as sources of a Content-Security-Policy; * for all, an empty list for none',
    ),
  units: z
    .string()
    .min(1, 'must be a path')
    .optional()
    .describe('a JSON file of units of length that the reading room offers before its own'),
  access: accessSchema.optional().describe('who may see what; by default everything is open to everyone'),
  followLinksOutside: z
    .boolean()
    .default(false)
    .describe('serve files that symbolic links outside the folders lead to'),
  index: index
    .default(indexDefaults)
    .describe('what is known of folders and image headers: it is read anew only where the disk says that they changed'),
  orientation: z.enum(['apply', 'ignore']).default('apply').describe('turn images upright by their EXIF orientation'),
  profiles: z
    .enum(['convert', 'keep'])
    .default('convert')
    .describe('ICC profiles: convert pictures to sRGB, or keep stored colors and send the profile; CMYK is converted'),
  sendFile: z.boolean().default(true).describe('send original files for mo=file and mo=rawfile'),
  defaultQuality: z
    .literal([0, 1, 2, 3], 'must be 0, 1, 2 or 3')
    .default(2)
    .describe('interpolation of Scaler pictures that ask for none by q0 to q3'),
  errorPictures: errorPictures
    .default({})
    .describe('files sent in place of Scaler pictures: PNG, JPEG, GIF or WebP; by default pictures of Lectern’s own'),
  defaultErrorForm: z
    .enum(['image', 'text', 'code'])
    .default('image')
    .describe('form of Scaler errors that ask for none by errimg, errtxt or errcode'),
  legacyErrorStatus: z
    .boolean()
    .default(false)
    .describe('send error pictures and texts with status 200, as digilib does'),
  iiifPrefix: z
    .string()
    .regex(/^[A-Za-z0-9._~-]+$/, 'must be a name such as IIIF')
    .default('IIIF')
    .describe('name behind Scaler and Manifester that leads to IIIF'),
  iiifSlash: z
    .string()
    .regex(/^[A-Za-z0-9!$&'()*+,;=:@_~-]{1,16}$/, 'must be characters that addresses may hold, such as ! or ~')
    .default('!')
    .describe('what stands for a slash in the identifiers of IIIF addresses'),
  iiifRawSlashes: z.boolean().default(false).describe('allow raw slashes in the identifiers of IIIF addresses'),
  iiifDefaultVersion: z
    .union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1, 2 or 3' })
    .default(2)
    .describe('IIIF version behind /Scaler/IIIF/ where the address names none'),
  pageLabels: z
    .enum(['name', 'number'])
    .default('name')
    .describe('labels of pages in manifests that metadata does not label: the file’s name, or the page’s number'),
  cacheControl: z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .default('public, max-age=3600')
    .describe('Cache-Control of pictures and info.json'),
  maxArea: z.int().min(1).default(100_000_000).describe('largest picture that is made, in pixels'),
  maxWidth: z.int().min(1).optional().describe('widest picture that is made, in pixels; unbounded by default'),
  maxHeight: z.int().min(1).optional().describe('highest picture that is made, in pixels; as maxWidth by default'),
  maxUpscale: z
    .number()
    .positive()
    .optional()
    .describe('largest factor by which a picture is enlarged; unbounded by default'),
  renderProcesses: z
    .int()
    .min(0)
    .max(256)
    .default(availableParallelism())
    .describe(
      'processes that render pictures, a few at a time each; 0 renders in the server’s own process, without a deadline',
    ),
  pyramids: pyramidsSchema
    .default(pyramidsSchema.parse({}))
    .describe('tiled copies of images that are slow to cut, made once and kept'),
  maxWaiting: z.int().min(0).default(1000).describe('renderings that may wait; further ones are answered 503'),
  renderTimeoutMs: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .default(60_000)
    .describe('milliseconds after which a rendering is ended and answered 504'),
  explain: z
    .boolean()
    .default(false)
    .describe(
      'answer ?explain=1 at a picture’s address with how the picture is made, as JSON, in place of the picture',
    ),
  cache: cacheSchema.default(cacheSchema.parse({})).describe('what is kept of pictures that were made'),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('least severity that is logged'),
});

export type Settings = z.infer<typeof settingsSchema>;
export type SettingsInput = Partial<z.input<typeof settingsSchema>>;

/** Where settings come from; the later win over the earlier. */
export interface SettingsSources {
  /** What holds where no source says anything. */
  readonly fallback?: SettingsInput;
  /** The path of a `digilib-config.xml`, or of the folder that it is in. */
  readonly digilibConfig?: string | undefined;
  /** The path of a JSON file. */
  readonly file?: string | undefined;
  readonly environment: Environment;
  readonly flags: SettingsInput;
}

export interface Configuration {
  readonly settings: Settings;
  /** What the sources say together, with absolute paths and without defaults: what a JSON file could say. */
  readonly given: Tree;
  /** What digilib's own files say without effect, a sentence each. */
  readonly notes: readonly string[];
}

/** Flags name folders as a shell does: relative to the one that the command runs in. */
const flagSource = (values: SettingsInput): Source => plainSource(resolvePaths(values, process.cwd()));

const merged = (sources: readonly Source[]): Tree =>
  sources.reduce<Tree>((values, source) => mergeTrees(values, source.values), {});

/** One source alone need not say everything. */
const partial = settingsSchema.partial();

/** What of the values names folders and files that there are not; only of those settings that can be read. */
function problemsOfPaths(sources: readonly Source[], values: Tree): readonly string[] {
  const { folders, webapp, units, virtualFolders, errorPictures: pictures } = settingsSchema.shape;
  const paths = {
    folders: folders.safeParse(values['folders']).data ?? [],
    webapp: webapp.safeParse(values['webapp']).data,
    units: units.safeParse(values['units']).data,
    virtualFolders: virtualFolders.safeParse(values['virtualFolders']).data ?? [],
    errorPictures: pictures.safeParse(values['errorPictures']).data ?? {},
  };
  return problemsOnDisk(paths, (place) =>
    sources.findLast((source) => valueAt(source.values, place) !== undefined)?.nameOf(place),
  );
}

/** What no source says; said only of sources that could be read. */
function missing(sources: readonly Source[], values: Tree): readonly string[] {
  if (values['folders'] !== undefined || sources.some(({ problems }) => problems.length > 0)) return [];
  return ['needs at least one folder, as an argument or as the setting folders'];
}

/** Reads all settings. Throws SettingsError that names every problem of every source at once, a line each. */
export function readConfiguration(sources: SettingsSources): Configuration {
  const { fallback = {}, digilibConfig, file, environment, flags } = sources;
  const fromEnvironment = readEnvironment(settingsSchema, environment);
  const own: readonly Source[] = [
    flagSource(fallback),
    ...(file === undefined ? [] : [readSettingsFile(file)]),
    { ...fromEnvironment, values: resolvePaths(fromEnvironment.values, process.cwd()) },
    flagSource(flags),
  ];
  const digilib = digilibConfig === undefined ? undefined : readDigilibConfig(digilibConfig, merged(own));
  const all = digilib === undefined ? own : [digilib, ...own];
  const given = merged(all);
  const problems = [
    ...all.flatMap((source) => [...source.problems, ...problemsOf(partial, source)]),
    ...missing(all, given),
    ...problemsOfPaths(all, given),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  return { settings: settingsSchema.parse(given), given, notes: digilib?.notes ?? [] };
}

/** The settings of flags, environment and a JSON file. Throws SettingsError that names every problem at once. */
export const readSettings = (flags: SettingsInput, environment: Environment, file: string | undefined): Settings =>
  readConfiguration({ flags, environment, file }).settings;

/** What the sources say that differs from the defaults: the settings as a JSON file that says no more than it must. */
export function differingSettings({ given, settings }: Configuration): Tree {
  const differs = ([name]: readonly [string, unknown]): boolean => {
    const schema = settingsSchema.shape[name as keyof Settings];
    return !isDeepStrictEqual(schema.safeParse(undefined).data, settings[name as keyof Settings]);
  };
  return Object.fromEntries(Object.entries(given).filter(differs));
}

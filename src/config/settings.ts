/** The one schema of all settings; flags win over the environment, which wins over the configuration file. */
import { readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { accessSchema, isAddressRange } from './access-settings.ts';

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

const folder = z
  .string()
  .refine((text) => statSync(text, { throwIfNoEntry: false })?.isDirectory() ?? false, {
    error: ({ input }) => `there is no folder ${input}`,
  })
  .transform((text) => path.resolve(text));

const port = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(0, 'must be 0 to 65535')
  .max(65_535, 'must be 0 to 65535');

/** Every setting with its default. */
export const settingsSchema = z.strictObject({
  folders: z
    .array(folder)
    .min(1, 'needs at least one folder')
    .describe('base directories; the first holds the highest resolution, the others prescaled versions'),
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
  access: accessSchema.optional().describe('who may see what; by default everything is open to everyone'),
  followLinksOutside: z
    .boolean()
    .default(false)
    .describe('serve files that symbolic links outside the folders lead to'),
  orientation: z.enum(['apply', 'ignore']).default('apply').describe('turn images upright by their EXIF orientation'),
  profiles: z
    .enum(['convert', 'keep'])
    .default('convert')
    .describe('ICC profiles: convert pictures to sRGB, or keep stored colors and send the profile; CMYK is converted'),
  sendFile: z.boolean().default(true).describe('send original files for mo=file and mo=rawfile'),
  legacyErrorStatus: z
    .boolean()
    .default(false)
    .describe('send error pictures and texts with status 200, as digilib does'),
  iiifRawSlashes: z.boolean().default(false).describe('allow raw slashes in the identifiers of IIIF addresses'),
  iiifDefaultVersion: z
    .union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1, 2 or 3' })
    .default(2)
    .describe('IIIF version behind /Scaler/IIIF/ where the address names none'),
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
  concurrency: z.int().min(1).default(availableParallelism()).describe('pictures rendered at once'),
  maxWaiting: z.int().min(0).default(1000).describe('renderings that may wait; further ones are answered 503'),
  explain: z
    .boolean()
    .default(false)
    .describe(
      'answer ?explain=1 at a picture’s address with how the picture is made, as JSON, in place of the picture',
    ),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('least severity that is logged'),
});

export type Settings = z.infer<typeof settingsSchema>;
export type SettingsInput = Partial<z.input<typeof settingsSchema>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that the environment gives. */
function fromEnvironment({ PORT, HOST }: Environment): SettingsInput {
  return { ...(PORT ? { port: PORT as unknown as number } : {}), ...(HOST ? { host: HOST } : {}) };
}

function fromFile(file: string | undefined): SettingsInput {
  if (file === undefined) return {};
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new SettingsError([`there is no configuration file ${file}`]);
  }
  try {
    return JSON.parse(text) as SettingsInput;
  } catch (error) {
    throw new SettingsError([`${file} is not JSON: ${error instanceof Error ? error.message : error}`]);
  }
}

const problemOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') return `unknown setting ${issue.keys.join(', ')}`;
  const place = issue.path.length > 0 && issue.path[0] !== 'folders' ? `${String(issue.path[0])}: ` : '';
  return place + issue.message;
};

/** Reads all settings. Throws SettingsError that names every problem at once, a line each. */
export function readSettings(flags: SettingsInput, environment: Environment, file: string | undefined): Settings {
  const merged = { ...fromFile(file), ...fromEnvironment(environment), ...flags };
  const result = settingsSchema.safeParse(merged);
  if (!result.success) throw new SettingsError(result.error.issues.map(problemOf));
  return result.data;
}

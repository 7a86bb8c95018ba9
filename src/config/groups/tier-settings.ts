/** Settings of tiers: how much callers see of images that they may not see whole, and whether rules name tiers that there are. */

import { z } from 'zod';
import type { WatermarkPlace } from '../../core/image/model/covers.ts';
import type { OutputFormat } from '../../core/image/model/formats.ts';

/** As identifiers of tiers have it (`splitTier`). */
const nameForm = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The compiler names one that is missing. */
const formats: Readonly<Record<OutputFormat, true>> = {
  jpeg: true,
  png: true,
  webp: true,
  tiff: true,
  gif: true,
  avif: true,
};

const quote = (text: unknown): string => JSON.stringify(text);

export const tierName = z
  .string()
  .regex(nameForm, 'a tier has a name of small letters, digits and hyphens, such as small')
  .describe('the name of a tier');

/** The compiler names one that is missing. */
const places: Readonly<Record<WatermarkPlace, true>> = {
  center: true,
  tiled: true,
  'top-left': true,
  'top-right': true,
  'bottom-left': true,
  'bottom-right': true,
};

const watermark = z
  .strictObject({
    picture: z.string().min(1).optional().describe('a PNG or SVG file of at most 512 KiB; it is read at the start'),
    text: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .refine((text) => !/\p{Cc}/u.test(text), 'the text of a watermark is one line')
      .optional()
      .describe('a line of text, in place of a picture'),
    place: z
      .enum(Object.keys(places) as WatermarkPlace[])
      .default('bottom-right')
      .describe('where it lies on the whole image; tiled repeats it everywhere'),
    opacity: z.number().gt(0).max(1).default(0.5).describe('from 0, not seen, to 1'),
    width: z.number().gt(0).max(1).default(0.25).describe('its width as a part of that of the image, from 0 to 1'),
    minSide: z
      .int()
      .min(0)
      .default(200)
      .describe('the longest side in pixels below which a picture of the whole image has no mark, as thumbnails'),
  })
  .refine(({ picture, text }) => (picture === undefined) !== (text === undefined), {
    error: 'a watermark has either a picture or a text',
  });

export const tier = z
  .strictObject({
    name: tierName.describe('as rules and addresses name it: small of book!page1;tier=small'),
    maxSide: z.int().min(1).optional().describe('the longest side of the image, in pixels'),
    maxPixels: z.int().min(1).optional().describe('its width times its height'),
    formats: z
      .array(z.enum(Object.keys(formats) as OutputFormat[]))
      .min(1)
      .refine((names) => names.includes('jpeg'), 'formats must have jpeg, which IIIF requires')
      .optional()
      .describe('the formats of its pictures; all by default'),
    originals: z
      .boolean()
      .default(false)
      .describe('whether files are sent as they are: of images, and of texts with places'),
    documents: z.boolean().default(false).describe('whether it is in PDF documents and ZIP archives'),
    texts: z.boolean().default(false).describe('whether its words and annotations are sent, shown and found'),
    watermark: watermark.optional().describe('what is drawn on its pictures'),
    wholeInfo: z
      .boolean()
      .default(false)
      .describe(
        'whether info.json of the whole image tells its size to all who have the tier, as IIIF Authorization Flow 2.0 needs it; Image API 3.0 alone, and with `signIn`',
      ),
  })
  .refine(({ originals, maxSide, maxPixels }) => !originals || (maxSide === undefined && maxPixels === undefined), {
    error: 'a tier with maxSide or maxPixels can’t have originals, which would show all pixels',
  })
  .refine((one) => !one.originals || one.watermark === undefined, {
    error: 'a tier with a watermark can’t have originals, which have none',
  });

interface Rules {
  readonly tiers: readonly { readonly name: string }[];
  readonly paths: readonly NamedGrants[];
  readonly types: readonly NamedGrants[];
}

interface NamedGrants {
  readonly path?: string;
  readonly type?: string;
  readonly tiers?: readonly { readonly tier: string }[] | undefined;
  readonly everyone?: string | undefined;
}

/** What is wrong with the names of tiers, in one sentence for each fault. */
export function problemsOfTiers({ tiers, paths, types }: Rules): readonly string[] {
  const names = tiers.map(({ name }) => name);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  const unknown = [...paths, ...types].flatMap((rule) =>
    [...(rule.tiers ?? []).map((one) => one.tier), ...(rule.everyone === undefined ? [] : [rule.everyone])]
      .filter((name) => !names.includes(name))
      .map(
        (name) =>
          `the rule for ${quote(rule.path ?? rule.type)} names the tier ${quote(name)}, which tiers does not have`,
      ),
  );
  return [...repeated.map((name) => `two tiers have the name ${quote(name)}`), ...unknown];
}

/** Schemas of IIIF's documents, limited to their main members; the IIIF specifications define all of them. */
import { formatExtensions, type Version, versions } from '../../iiif/version.ts';
import { contexts } from '../routes/presentation.ts';
import { reference, type Schema } from './operation.ts';

const address: Schema = { type: 'string', format: 'uri' };
const pixels: Schema = { type: 'integer', minimum: 1 };
const named = (names: readonly string[]): Schema => ({ type: 'array', items: { type: 'string', enum: names } });
const listOf = (items: Schema): Schema => ({ type: 'array', items });

const scaleFactors: Schema = listOf(pixels);
const sizes: Schema = {
  ...listOf({ type: 'object', properties: { width: pixels, height: pixels }, required: ['width', 'height'] }),
  description: 'Sizes that are cheap to render.',
};
const tiles: Schema = listOf({
  type: 'object',
  properties: { width: pixels, height: pixels, scaleFactors },
  required: ['width', 'scaleFactors'],
});

const formats = named(Object.keys(formatExtensions));
const qualitiesOf = (version: Version): Schema => named(Object.keys(versions[version].qualities));

const limits = { maxWidth: pixels, maxHeight: pixels, maxArea: pixels };
const full = {
  width: { ...pixels, description: 'In pixels of the highest resolution, upright.' },
  height: { ...pixels, description: 'In pixels of the highest resolution, upright.' },
};
const protocol: Schema = { const: 'http://iiif.io/api/image' };

/** An object with required and optional members, and possibly others. */
const document = (
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>>,
): Schema => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});

/** info.json of each version of the Image API. */
export const informationSchemas: Readonly<Record<Version, Schema>> = {
  1: document(
    { '@context': { const: versions[1].context }, '@id': address, ...full, profile: { const: versions[1].profile } },
    { scale_factors: scaleFactors, tile_width: pixels, tile_height: pixels, formats, qualities: qualitiesOf(1) },
  ),
  2: document(
    {
      '@context': { const: versions[2].context },
      '@id': address,
      protocol,
      ...full,
      profile: {
        type: 'array',
        prefixItems: [
          { const: versions[2].profile },
          document({}, { formats, qualities: qualitiesOf(2), ...limits, supports: listOf({ type: 'string' }) }),
        ],
        items: {},
      },
    },
    { sizes, tiles },
  ),
  3: document(
    {
      '@context': { const: versions[3].context },
      id: address,
      type: { const: 'ImageService3' },
      protocol,
      profile: { const: 'level2' },
      ...full,
    },
    {
      ...limits,
      sizes,
      tiles,
      preferredFormats: formats,
      extraFormats: formats,
      extraQualities: qualitiesOf(3),
      extraFeatures: listOf({ type: 'string' }),
      partOf: { ...listOf({ type: 'object' }), description: 'The manifest of the folder that contains the image.' },
    },
  ),
};

/** Texts by language in Presentation 3.0. */
export const languageMap: Schema = {
  description: 'Texts by language; `none` where the language is unknown.',
  type: 'object',
  additionalProperties: listOf({ type: 'string' }),
};

const label3 = reference('schemas', 'LanguageMap');

const label2: Schema = {
  description: 'A text, a text with its language, or a list of these.',
  type: ['string', 'object', 'array'],
};

const ownFile = 'A file `manifest.json` in the folder is sent unchanged.';

type PresentationVersion = 2 | 3;

/** The manifest of a folder in one version of the Presentation API. */
export function manifestSchema(version: PresentationVersion): Schema {
  const context = { const: contexts[version] };
  const list = { ...listOf({ type: 'object' }), minItems: 1 };
  return version === 3
    ? {
        description: `A canvas for each page. ${ownFile}`,
        ...document(
          { '@context': context, id: address, type: { const: 'Manifest' }, label: label3, items: list },
          { thumbnail: list, partOf: list, structures: list },
        ),
      }
    : {
        description: `One sequence with a canvas for each page. ${ownFile}`,
        ...document(
          { '@context': context, '@id': address, '@type': { const: 'sc:Manifest' }, label: label2, sequences: list },
          { thumbnail: { type: 'object' }, within: address, structures: list },
        ),
      };
}

/** The collection of a folder of folders in one version of the Presentation API. */
export function collectionSchema(version: PresentationVersion): Schema {
  const context = { const: contexts[version] };
  const list = listOf({ type: 'object' });
  return version === 3
    ? document(
        { '@context': context, id: address, type: { const: 'Collection' }, label: label3, items: list },
        { partOf: list },
      )
    : document(
        { '@context': context, '@id': address, '@type': { const: 'sc:Collection' }, label: label2, manifests: list },
        { collections: list, within: address },
      );
}

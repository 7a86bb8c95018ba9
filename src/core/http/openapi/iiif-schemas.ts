/** Schemas of IIIF's documents, limited to their main members; the IIIF specifications define all of them. */
import { formatExtensions, type Version, versions } from '../../../features/iiif-image/version.ts';
import { contexts } from '../../../features/presentation/routes.ts';
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
const side: Schema = { ...pixels, description: 'In pixels of the highest resolution, upright.' };
const full = { width: side, height: side };
const protocol: Schema = { const: 'http://iiif.io/api/image' };

type Properties = Readonly<Record<string, Schema>>;

/** An object with required and optional members, and possibly others. */
const document = (properties: Properties, optional: Properties): Schema => ({
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

const list = listOf({ type: 'object' });
const filledList = { ...list, minItems: 1 };

const searchContexts = {
  1: 'http://iiif.io/api/search/1/context.json',
  2: 'http://iiif.io/api/search/2/context.json',
} as const;

const resource2 = (type: string, properties: Properties, optional: Properties): Schema =>
  document(
    { '@context': { const: contexts[2] }, '@id': address, '@type': { const: type }, label: label2, ...properties },
    optional,
  );

const resource3 = (type: string, items: Schema, optional: Properties): Schema =>
  document({ '@context': { const: contexts[3] }, id: address, type: { const: type }, label: label3, items }, optional);

/** The manifest of a folder, and the collection of a folder of folders, in both versions of the Presentation API. */
export const presentationSchemas = {
  Manifest2: {
    description: `One sequence with a canvas for each page. ${ownFile}`,
    ...resource2(
      'sc:Manifest',
      { sequences: filledList },
      { thumbnail: { type: 'object' }, within: address, structures: filledList },
    ),
  },
  Manifest3: {
    description: `A canvas for each page. ${ownFile}`,
    ...resource3('Manifest', filledList, { thumbnail: filledList, partOf: filledList, structures: filledList }),
  },
  AnnotationList2: resource2('sc:AnnotationList', { resources: list }, {}),
  AnnotationPage3: resource3('AnnotationPage', list, {}),
  SearchResult1: document(
    {
      '@context': { type: 'array', minItems: 2 },
      '@id': address,
      '@type': { const: 'sc:AnnotationList' },
      resources: list,
      hits: list,
    },
    { within: { type: 'object' }, next: address, prev: address },
  ),
  SearchResult2: document(
    { '@context': { const: searchContexts[2] }, id: address, type: { const: 'AnnotationPage' }, items: list },
    {
      annotations: list,
      ignored: list,
      partOf: { type: 'object' },
      next: { type: 'object' },
      prev: { type: 'object' },
    },
  ),
  Terms1: document(
    { '@context': { const: searchContexts[1] }, '@id': address, '@type': { const: 'search:TermList' }, terms: list },
    { ignored: list },
  ),
  Terms2: document(
    { '@context': { const: searchContexts[2] }, id: address, type: { const: 'TermPage' }, items: list },
    { ignored: list },
  ),
  Collection2: resource2('sc:Collection', { manifests: list }, { collections: list, within: address }),
  Collection3: resource3('Collection', list, { partOf: list }),
} as const;

/** What manifests and collections must be, by the Presentation 3.0 and 2.1 specifications and by the community's parser. */
import { presentation3StrictUpgrade } from '@iiif/parser/strict';
import { upgrade } from '@iiif/parser/upgrader';
import { z } from 'zod';

/** An address in which nothing is left to be escaped. */
const address = z.string().regex(/^https?:\/\/[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/);
const pixels = z.int().positive();
const languageMap = z
  .record(z.string().regex(/^(none|[A-Za-z]{2,3}(-[A-Za-z0-9]+)*)$/), z.array(z.string()).nonempty())
  .refine((map) => Object.keys(map).length > 0, 'a text has at least one language');
const pair = z.strictObject({ label: languageMap, value: languageMap });

const service3 = z.strictObject({ id: address, type: z.literal('ImageService3'), profile: z.literal('level2') });
const service2 = z.strictObject({
  '@id': address,
  '@type': z.literal('ImageService2'),
  profile: z.literal('http://iiif.io/api/image/2/level2.json'),
});
const image = z.strictObject({
  id: address,
  type: z.literal('Image'),
  format: z.literal('image/jpeg'),
  width: pixels,
  height: pixels,
  service: z.array(z.union([service3, service2])).nonempty(),
});

const annotation = z.strictObject({
  id: address,
  type: z.literal('Annotation'),
  motivation: z.literal('painting'),
  body: image,
  target: address,
});
const canvas = z.strictObject({
  id: address,
  type: z.literal('Canvas'),
  label: languageMap,
  width: pixels,
  height: pixels,
  behavior: z.tuple([z.enum(['non-paged', 'facing-pages'])]).optional(),
  thumbnail: z.tuple([image]),
  seeAlso: z
    .tuple([
      z.strictObject({
        id: address,
        type: z.literal('Dataset'),
        label: languageMap,
        format: z.enum(['application/xml', 'text/html']),
        profile: z.string().optional(),
      }),
    ])
    .optional(),
  rendering: z
    .tuple([
      z.strictObject({ id: address, type: z.literal('Text'), label: languageMap, format: z.literal('text/plain') }),
    ])
    .optional(),
  annotations: z
    .array(z.strictObject({ id: address, type: z.literal('AnnotationPage'), label: languageMap }))
    .nonempty()
    .optional(),
  items: z.tuple([z.strictObject({ id: address, type: z.literal('AnnotationPage'), items: z.tuple([annotation]) })]),
});

const canvasReference = z.strictObject({ id: address, type: z.literal('Canvas') });
const range = z.strictObject({
  id: address,
  type: z.literal('Range'),
  label: languageMap,
  get items(): z.ZodType {
    return z.array(z.union([canvasReference, range])).nonempty();
  },
});

const described = {
  '@context': z.literal('http://iiif.io/api/presentation/3/context.json'),
  id: address,
  label: languageMap,
  summary: languageMap.optional(),
  metadata: z.array(pair).nonempty().optional(),
  rights: address.optional(),
  requiredStatement: pair.optional(),
  homepage: z
    .array(z.strictObject({ id: address, type: z.literal('Text'), label: languageMap, format: z.string() }))
    .nonempty()
    .optional(),
  viewingDirection: z.enum(['left-to-right', 'right-to-left', 'top-to-bottom', 'bottom-to-top']).optional(),
  behavior: z.array(z.string()).nonempty().optional(),
  partOf: z.array(z.strictObject({ id: address, type: z.literal('Collection') })).optional(),
};

const profile = 'http://iiif.io/api/search/1/search';
const autocomplete = 'http://iiif.io/api/search/1/autocomplete';

/** Both versions of the search (Presentation 3.0, section 3.2, "service"). */
const search3 = z.tuple([
  z.strictObject({
    id: address,
    type: z.literal('SearchService2'),
    service: z.tuple([z.strictObject({ id: address, type: z.literal('AutoCompleteService2') })]),
  }),
  z.strictObject({
    '@id': address,
    '@type': z.literal('SearchService1'),
    profile: z.literal(profile),
    service: z.tuple([
      z.strictObject({ '@id': address, '@type': z.literal('AutoCompleteService1'), profile: z.literal(autocomplete) }),
    ]),
  }),
]);

/** Content Search 1.0, sections 3.1 and 4.1. */
const search2 = z.strictObject({
  '@context': z.literal('http://iiif.io/api/search/1/context.json'),
  '@id': address,
  profile: z.literal(profile),
  label: z.string(),
  service: z.strictObject({ '@id': address, profile: z.literal(autocomplete), label: z.string() }),
});

/** A manifest of Presentation 3.0 that says nothing but what this server can say. */
const renderings = z.tuple([
  z.strictObject({
    id: address,
    type: z.literal('Text'),
    label: languageMap,
    format: z.literal('application/pdf'),
  }),
  z.strictObject({
    id: address,
    type: z.literal('Dataset'),
    label: languageMap,
    format: z.literal('application/zip'),
  }),
]);

/** Where changes are listed (Change Discovery 1.0), which the collection of the whole library names. */
const changes = { format: z.literal('application/ld+json'), profile: z.string().regex(/discovery\/1/) };

export const manifestSchema3 = z.strictObject({
  service: search3.optional(),
  rendering: renderings.optional(),
  ...described,
  type: z.literal('Manifest'),
  thumbnail: z.tuple([image]),
  start: z.strictObject({ id: address, type: z.literal('Canvas') }).optional(),
  items: z.array(canvas).nonempty(),
  structures: z.array(range).nonempty().optional(),
});

export const collectionSchema3 = z.strictObject({
  service: search3.optional(),
  seeAlso: z
    .tuple([z.strictObject({ id: address, type: z.literal('Dataset'), label: languageMap, ...changes })])
    .optional(),
  ...described,
  type: z.literal('Collection'),
  items: z.array(z.strictObject({ id: address, type: z.enum(['Manifest', 'Collection']), label: languageMap })),
});

const text2 = z.union([z.string(), z.strictObject({ '@value': z.string(), '@language': z.string() })]);
const texts2 = z.union([text2, z.array(text2).nonempty()]);
const image2 = z.strictObject({
  '@id': address,
  '@type': z.literal('dctypes:Image'),
  format: z.literal('image/jpeg'),
  width: pixels,
  height: pixels,
  service: z.strictObject({
    '@context': z.literal('http://iiif.io/api/image/2/context.json'),
    '@id': address,
    profile: z.literal('http://iiif.io/api/image/2/level2.json'),
  }),
});
const canvas2 = z.strictObject({
  '@id': address,
  '@type': z.literal('sc:Canvas'),
  label: texts2,
  width: pixels,
  height: pixels,
  viewingHint: z.enum(['non-paged', 'facing-pages']).optional(),
  thumbnail: image2,
  seeAlso: z
    .strictObject({
      '@id': address,
      label: z.string(),
      format: z.enum(['application/xml', 'text/html']),
      profile: z.string().optional(),
    })
    .optional(),
  rendering: z.strictObject({ '@id': address, label: z.string(), format: z.literal('text/plain') }).optional(),
  otherContent: z
    .array(z.strictObject({ '@id': address, '@type': z.literal('sc:AnnotationList'), label: z.string() }))
    .nonempty()
    .optional(),
  images: z.tuple([
    z.strictObject({
      '@id': address,
      '@type': z.literal('oa:Annotation'),
      motivation: z.literal('sc:painting'),
      resource: image2,
      on: address,
    }),
  ]),
});
const direction2 = { viewingDirection: described.viewingDirection };
const described2 = {
  '@context': z.literal('http://iiif.io/api/presentation/2/context.json'),
  '@id': address,
  label: texts2,
  description: texts2.optional(),
  metadata: z.array(z.strictObject({ label: texts2, value: texts2 })).optional(),
  license: address.optional(),
  attribution: texts2.optional(),
  related: z.array(z.strictObject({ '@id': address, label: texts2, format: z.string() })).optional(),
  viewingHint: z.enum(['individuals', 'paged', 'continuous', 'multi-part']).optional(),
  within: address.optional(),
};

/** A manifest of Presentation 2.1 that says nothing but what this server can say. */
export const manifestSchema2 = z.strictObject({
  service: search2.optional(),
  rendering: z
    .tuple([
      z.strictObject({ '@id': address, label: z.literal('PDF'), format: z.literal('application/pdf') }),
      z.strictObject({ '@id': address, label: z.literal('Data set'), format: z.literal('application/zip') }),
    ])
    .optional(),
  ...described2,
  ...direction2,
  '@type': z.literal('sc:Manifest'),
  thumbnail: image2,
  sequences: z.tuple([
    z.strictObject({
      '@id': address,
      '@type': z.literal('sc:Sequence'),
      ...direction2,
      canvases: z.array(canvas2).nonempty(),
    }),
  ]),
  structures: z
    .array(
      z.strictObject({
        '@id': address,
        '@type': z.literal('sc:Range'),
        label: texts2,
        canvases: z.array(address).nonempty().optional(),
        ranges: z.array(address).nonempty().optional(),
      }),
    )
    .optional(),
});

const members2 = (type: string): z.ZodType =>
  z.array(z.strictObject({ '@id': address, '@type': z.literal(type), label: texts2 }));

export const collectionSchema2 = z.strictObject({
  service: search2.optional(),
  seeAlso: z.strictObject({ '@id': address, label: z.string(), ...changes }).optional(),
  ...described2,
  '@type': z.literal('sc:Collection'),
  collections: members2('sc:Collection').optional(),
  manifests: members2('sc:Manifest'),
});

type Manifest = Parameters<typeof presentation3StrictUpgrade>[0];

/** What the community's parser finds wrong with a manifest of 3.0, or with one of 2.1 after it made it one of 3.0. */
export function parserWarnings(document: object): readonly string[] {
  const copy: unknown = structuredClone(document);
  const manifest = '@type' in document ? upgrade(copy as Parameters<typeof upgrade>[0]) : copy;
  const state = { warnings: [] as string[] };
  presentation3StrictUpgrade(manifest as Manifest, state);
  return state.warnings;
}

/** All values of members of these names, at any depth. */
export function valuesOf(document: unknown, names: readonly string[], isOwner: (owner: object) => boolean): unknown[] {
  if (Array.isArray(document)) return document.flatMap((item) => valuesOf(item, names, isOwner));
  if (typeof document !== 'object' || document === null) return [];
  const own = isOwner(document) ? Object.entries(document).filter(([name]) => names.includes(name)) : [];
  return [
    ...own.map(([, value]) => value),
    ...Object.values(document).flatMap((value) => valuesOf(value, names, isOwner)),
  ];
}

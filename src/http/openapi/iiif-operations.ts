/** The addresses of IIIF in the API description: the Image API, and manifests and collections. */
import { formatExtensions, type Version, versions } from '../../iiif/version.ts';
import { formatNames } from '../../image/model/formats.ts';
import type { IiifMount } from '../iiif-mounts.ts';
import { contexts, type PresentationMount } from '../routes/presentation.ts';
import { bytesIn, contentIn, contentOf, redirectAnswers, taggedAnswers } from './answers.ts';
import type { Example } from './example.ts';
import type { Answers, Operation } from './operation.ts';
import type { SchemaName } from './schemas.ts';

/** Plain JSON, and JSON-LD for clients that name it in `Accept`. */
const jsonTypes = (context: string): readonly string[] => [
  'application/json',
  `application/ld+json;profile="${context}"`,
];

const pathsBehind = (prefixes: readonly string[], ...forms: readonly string[]): Operation['paths'] => {
  const [first = '', ...others] = forms.flatMap((form) => prefixes.map((prefix) => prefix + form));
  return [first, ...others];
};

const names: Readonly<Record<Version, string>> = { 1: '1.1', 2: '2.1', 3: '3.0' };

const pictureTypes = Object.values(formatExtensions).map((format) => formatNames[format].mediaType);

const imagePath = ['region', 'size', 'rotation', 'quality', 'format'];

/** The operations of one version of the Image API below its prefixes, the usual one first. */
function imageOperations(version: Version, prefixes: readonly string[], { answers }: Example): readonly Operation[] {
  const schema = `ImageInformation${version}` as const;
  const name = names[version];
  const common = { tag: 'IIIF Image' } as const;
  return [
    {
      ...common,
      id: `iiif${version}Information`,
      paths: pathsBehind(prefixes, '/{identifier}/info.json'),
      summary: `info.json of Image API ${name}`,
      description: 'Sizes, tiles, formats and limits, from which viewers make their requests.',
      parameters: ['identifier'],
      answers: taggedAnswers(
        `The info.json of version ${name}.`,
        contentIn(jsonTypes(versions[version].context), contentOf(schema, answers[schema])),
        true,
      ),
      errors: 'document',
    },
    {
      ...common,
      id: `iiif${version}Image`,
      paths: pathsBehind(prefixes, '/{identifier}/{region}/{size}/{rotation}/{quality}.{format}'),
      summary: `A picture by Image API ${name}`,
      description: 'Level 2 with arbitrary rotation and mirroring.',
      parameters: ['identifier', ...imagePath.map((part) => `iiif${version}.${part}`)],
      answers: taggedAnswers('The picture in the format of the address.', bytesIn(pictureTypes), true),
      errors: 'picture',
    },
    {
      ...common,
      id: `iiif${version}Base`,
      paths: pathsBehind(prefixes, '/{identifier}'),
      summary: `The base address of an image of Image API ${name}`,
      parameters: ['identifier'],
      answers: redirectAnswers('To info.json.'),
      errors: 'document',
    },
  ];
}

/** The operations of the Image API at all its mounts. */
export const iiifImageOperations = (mounts: readonly IiifMount[], example: Example): readonly Operation[] =>
  ([3, 2, 1] as const).flatMap((version) => {
    const prefixes = mounts.filter((mount) => mount.version === version).map(({ prefix }) => prefix);
    return imageOperations(version, prefixes, example);
  });

type PresentationVersion = PresentationMount['version'];

const documentAnswers = (version: PresentationVersion, schema: SchemaName, description: string): Answers =>
  taggedAnswers(description, contentIn(jsonTypes(contexts[version]), contentOf(schema)));

/** The manifests and collections of one version below its prefixes. */
function folderOperations(version: PresentationVersion, prefixes: readonly string[]): readonly Operation[] {
  const name = names[version];
  const manifest = documentAnswers(
    version,
    `Manifest${version}`,
    'The manifest: a canvas for each image, in page order.',
  );
  const collection = documentAnswers(
    version,
    `Collection${version}`,
    'The collection of the manifests and collections inside.',
  );
  const common = { tag: 'IIIF Presentation', errors: 'document' } as const;
  return [
    {
      ...common,
      id: `presentation${version}Root`,
      paths: pathsBehind(prefixes, '/collection.json'),
      summary: `The whole library as a collection of Presentation ${name}`,
      description: 'The entry point: every manifest is reachable from it.',
      parameters: [],
      answers: collection,
    },
    {
      ...common,
      id: `presentation${version}Collection`,
      paths: pathsBehind(prefixes, '/{folder}/collection.json'),
      summary: `A folder of folders as a collection of Presentation ${name}`,
      parameters: ['folderOfFolders'],
      answers: { ...collection, ...redirectAnswers('To the manifest, if the folder contains only images.') },
    },
    {
      ...common,
      id: `presentation${version}Manifest`,
      paths: pathsBehind(prefixes, '/{folder}/manifest.json'),
      summary: `A folder as a manifest of Presentation ${name}`,
      parameters: ['folder'],
      answers: { ...manifest, ...redirectAnswers('To the collection, if the folder contains only folders.') },
    },
    {
      ...common,
      id: `presentation${version}RootManifest`,
      paths: pathsBehind(prefixes, '/manifest.json'),
      summary: `The images at the top of the library as a manifest of Presentation ${name}`,
      parameters: [],
      answers: { ...manifest, ...redirectAnswers('To the collection, if there are no images at the top.') },
    },
    {
      ...common,
      id: `presentation${version}Part`,
      paths: pathsBehind(prefixes, '/{folder}/{part}/{name}'),
      summary: 'The address of a resource inside a manifest; the whole manifest is answered',
      parameters: ['folder', 'part', 'name'],
      answers: manifest,
    },
  ];
}

/** digilib's addresses of the same manifests. */
function manifesterOperations(version: PresentationVersion, prefixes: readonly string[]): readonly Operation[] {
  const answers = documentAnswers(
    version,
    `Manifest${version}`,
    'The manifest: a canvas for each image, in page order.',
  );
  const common = { tag: 'IIIF Presentation', errors: 'document', answers } as const;
  return [
    {
      ...common,
      id: `manifester${version}`,
      paths: pathsBehind(prefixes, '/{identifier}/manifest', '/{identifier}', '/{identifier}/manifest.json'),
      summary: `A folder as a manifest of Presentation ${names[version]}, at digilib’s address`,
      parameters: ['folderIdentifier'],
    },
    {
      ...common,
      id: `manifester${version}Part`,
      paths: pathsBehind(prefixes, '/{identifier}/{part}/{name}'),
      summary: 'The address of a resource inside a manifest, at digilib’s address; the whole manifest is answered',
      parameters: ['folderIdentifier', 'part', 'name'],
    },
  ];
}

/** The operations of the Presentation API at all its mounts. */
export const presentationOperations = (mounts: readonly PresentationMount[]): readonly Operation[] =>
  ([3, 2] as const).flatMap((version) => {
    const prefixesOf = (dialect: PresentationMount['dialect']): readonly string[] =>
      mounts.filter((mount) => mount.version === version && mount.dialect === dialect).map(({ prefix }) => prefix);
    return [
      ...folderOperations(version, prefixesOf('presentation')),
      ...manifesterOperations(version, prefixesOf('manifester')),
    ];
  });

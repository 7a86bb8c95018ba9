/** The addresses of IIIF in the API description: the Image API, and manifests and collections. */

import type { IiifMount } from '../../../features/iiif-image/iiif-mounts.ts';
import { formatExtensions, type Version, versions } from '../../../features/iiif-image/version.ts';
import { contexts, type PresentationMount } from '../../../features/presentation/routes.ts';
import { formatNames } from '../../image/model/formats.ts';
import { contentIn, contentOf, redirectAnswers, taggedAnswers } from './answers.ts';
import type { Example } from './example.ts';
import type { Answers, Operation } from './operation.ts';
import type { SchemaName } from './schemas.ts';

/** Plain JSON, and JSON-LD for clients that name it in `Accept`. */
const jsonTypes = (context: string): readonly string[] => [
  'application/json',
  `application/ld+json;profile="${context}"`,
];

const pathsBelow = (mounts: readonly { readonly prefix: string }[], ...forms: readonly string[]): readonly string[] =>
  forms.flatMap((form) => mounts.map(({ prefix }) => prefix + form));

const names: Readonly<Record<Version, string>> = { 1: '1.1', 2: '2.1', 3: '3.0' };

const pictureTypes = Object.values(formatExtensions).map((format) => formatNames[format].mediaType);

const imagePath = ['region', 'size', 'rotation', 'quality', 'format'];

/** The operations of one version of the Image API at its mounts, the usual one first. */
function imageOperations(version: Version, mounts: readonly IiifMount[], { answers }: Example): readonly Operation[] {
  const schema = `ImageInformation${version}` as const;
  const name = names[version];
  const content = contentIn(jsonTypes(versions[version].context), contentOf(schema, answers[schema]));
  const common = { tag: 'IIIF Image', parameters: ['identifier'], errors: 'document' } as const;
  return [
    {
      ...common,
      id: `iiif${version}Information`,
      paths: pathsBelow(mounts, '/{identifier}/info.json'),
      summary: `info.json of Image API ${name}`,
      description: 'Sizes, tiles, formats and limits, from which viewers make their requests.',
      answers: taggedAnswers(`The info.json of version ${name}.`, content, true),
    },
    {
      ...common,
      id: `iiif${version}Image`,
      paths: pathsBelow(mounts, '/{identifier}/{region}/{size}/{rotation}/{quality}.{format}'),
      summary: `A picture by Image API ${name}`,
      description: 'Level 2 with arbitrary rotation and mirroring.',
      parameters: ['identifier', ...imagePath.map((part) => `iiif${version}.${part}`)],
      answers: taggedAnswers('The picture in the format of the address.', contentIn(pictureTypes), true),
      errors: 'picture',
    },
    {
      ...common,
      id: `iiif${version}Base`,
      paths: pathsBelow(mounts, '/{identifier}'),
      summary: `The base address of an image of Image API ${name}`,
      answers: redirectAnswers('To info.json.'),
    },
  ];
}

export const iiifImageOperations = (mounts: readonly IiifMount[], example: Example): readonly Operation[] =>
  ([3, 2, 1] as const).flatMap((version) => {
    const ofVersion = mounts.filter((mount) => mount.version === version);
    return imageOperations(version, ofVersion, example);
  });

type PresentationVersion = PresentationMount['version'];

const documentAnswers = (version: PresentationVersion, schema: SchemaName, description: string): Answers =>
  taggedAnswers(description, contentIn(jsonTypes(contexts[version]), contentOf(schema)));

const manifestAnswers = (version: PresentationVersion): Answers =>
  documentAnswers(version, `Manifest${version}`, 'The manifest: a canvas for each image, in page order.');

const common = { tag: 'IIIF Presentation', errors: 'document' } as const;

/** The canvas at which a manifest begins can be chosen in version 3. */
const startParameter = (version: PresentationVersion): readonly string[] => (version === 3 ? ['manifest.start'] : []);

/** The annotations of a page at the addresses that manifests give. */
const annotationsOperation = (
  version: PresentationVersion,
  id: string,
  paths: readonly string[],
  folder: 'folder' | 'folderIdentifier',
): Operation => ({
  ...common,
  id,
  paths,
  summary: `The annotations of a page, as ${version === 3 ? 'an annotation page' : 'an annotation list'} of Presentation ${names[version]}`,
  description:
    'Those in files beside the image, or in files that the folder’s metadata names. Empty where there are none.',
  parameters: [folder, 'annotatedPage'],
  answers: documentAnswers(
    version,
    version === 3 ? 'AnnotationPage3' : 'AnnotationList2',
    'The annotations, about the canvas of the page.',
  ),
});

/** The manifests and collections of one version at its mounts. */
function folderOperations(version: PresentationVersion, mounts: readonly PresentationMount[]): readonly Operation[] {
  const name = names[version];
  const manifest = manifestAnswers(version);
  const collection = documentAnswers(
    version,
    `Collection${version}`,
    'The collection of the manifests and collections inside.',
  );
  return [
    {
      ...common,
      id: `presentation${version}Root`,
      paths: pathsBelow(mounts, '/collection.json'),
      summary: `The whole library as a collection of Presentation ${name}`,
      description: 'The entry point: every manifest is reachable from it.',
      answers: collection,
    },
    {
      ...common,
      id: `presentation${version}Collection`,
      paths: pathsBelow(mounts, '/{folder}/collection.json'),
      summary: `A folder of folders as a collection of Presentation ${name}`,
      parameters: ['folderOfFolders'],
      answers: { ...collection, ...redirectAnswers('To the manifest, if the folder contains only images.') },
    },
    {
      ...common,
      id: `presentation${version}Manifest`,
      paths: pathsBelow(mounts, '/{folder}/manifest.json'),
      summary: `A folder as a manifest of Presentation ${name}`,
      parameters: ['folder', ...startParameter(version)],
      answers: { ...manifest, ...redirectAnswers('To the collection, if the folder contains only folders.') },
    },
    {
      ...common,
      id: `presentation${version}RootManifest`,
      paths: pathsBelow(mounts, '/manifest.json'),
      summary: `The images at the top of the library as a manifest of Presentation ${name}`,
      parameters: startParameter(version),
      answers: { ...manifest, ...redirectAnswers('To the collection, if there are no images at the top.') },
    },
    annotationsOperation(
      version,
      `presentation${version}Annotations`,
      pathsBelow(mounts, '/{folder}/annotations/{page}'),
      'folder',
    ),
    {
      ...common,
      id: `presentation${version}Part`,
      paths: pathsBelow(mounts, '/{folder}/{part}/{name}'),
      summary: 'The address of a resource inside a manifest; the whole manifest is answered',
      parameters: ['folder', 'part', 'name'],
      answers: manifest,
    },
  ];
}

/** digilib's addresses of the same manifests. */
function manifesterOperations(
  version: PresentationVersion,
  mounts: readonly PresentationMount[],
): readonly Operation[] {
  const answers = manifestAnswers(version);
  return [
    {
      ...common,
      id: `manifester${version}`,
      paths: pathsBelow(mounts, '/{identifier}/manifest', '/{identifier}', '/{identifier}/manifest.json'),
      summary: `A folder as a manifest of Presentation ${names[version]}, at digilib’s address`,
      parameters: ['folderIdentifier', ...startParameter(version)],
      answers,
    },
    annotationsOperation(
      version,
      `manifester${version}Annotations`,
      pathsBelow(mounts, '/{identifier}/annotations/{page}'),
      'folderIdentifier',
    ),
    {
      ...common,
      id: `manifester${version}Part`,
      paths: pathsBelow(mounts, '/{identifier}/{part}/{name}'),
      summary: 'The address of a resource inside a manifest, at digilib’s address; the whole manifest is answered',
      parameters: ['folderIdentifier', 'part', 'name'],
      answers,
    },
  ];
}

export const presentationOperations = (mounts: readonly PresentationMount[]): readonly Operation[] =>
  ([3, 2] as const).flatMap((version) => {
    const mountsOf = (dialect: PresentationMount['dialect']): readonly PresentationMount[] =>
      mounts.filter((mount) => mount.version === version && mount.dialect === dialect);
    return [
      ...folderOperations(version, mountsOf('presentation')),
      ...manifesterOperations(version, mountsOf('manifester')),
    ];
  });

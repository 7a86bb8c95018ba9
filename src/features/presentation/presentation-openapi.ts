/** Manifests and collections in the API description. */
import {
  type Answers,
  type ApiPart,
  contentIn,
  contentOf,
  type Example,
  inPath,
  type Operation,
  redirectAnswers,
  type Schema,
  taggedAnswers,
} from '../../core/http/openapi/operation.ts';
import { keyOfPage, manifestParts, type PresentationVersion } from '../../core/image/addresses/iiif-addresses.ts';
import { presentationMounts } from './presentation-routes.ts';
import { contexts, type PresentationMount } from './write-document.ts';

/** Plain JSON, and JSON-LD for clients that name it in `Accept`. */
const jsonTypes = (context: string): readonly string[] => [
  'application/json',
  `application/ld+json;profile="${context}"`,
];

const pathsBelow = (mounts: readonly { readonly prefix: string }[], ...forms: readonly string[]): readonly string[] =>
  forms.flatMap((form) => mounts.map(({ prefix }) => prefix + form));

const names = { 2: '2.1', 3: '3.0' } as const;

const documentAnswers = (version: PresentationVersion, schema: string, description: string): Answers =>
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
      parameters: ['collection.page'],
      answers: collection,
    },
    {
      ...common,
      id: `presentation${version}Collection`,
      paths: pathsBelow(mounts, '/{folder}/collection.json'),
      summary: `A folder of folders as a collection of Presentation ${name}`,
      parameters: ['folderOfFolders', 'collection.page'],
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

const presentationOperations = (mounts: readonly PresentationMount[]): readonly Operation[] =>
  ([3, 2] as const).flatMap((version) => {
    const mountsOf = (dialect: PresentationMount['dialect']): readonly PresentationMount[] =>
      mounts.filter((mount) => mount.version === version && mount.dialect === dialect);
    return [
      ...folderOperations(version, mountsOf('presentation')),
      ...manifesterOperations(version, mountsOf('manifester')),
    ];
  });

const text: Schema = { type: 'string', minLength: 1 };

const ownFile = 'A file `manifest.json` in the folder is sent unchanged.';
const members = (required: readonly string[], description?: string): Schema => ({
  type: 'object',
  required,
  ...(description !== undefined && { description }),
});
const members2 = ['@context', '@id', '@type', 'label'];
const members3 = ['@context', 'id', 'type', 'label', 'items'];

export const apiPart = ({ image }: Example, iiifPrefix: string): ApiPart => ({
  operations: presentationOperations(presentationMounts(iiifPrefix)),
  parameters: {
    part: inPath(
      'part',
      'The kind of resource: canvas, sequence and so on.',
      { type: 'string', enum: manifestParts },
      manifestParts[0],
    ),
    name: inPath('name', 'The name of the resource, as the manifest has it.', text, 'page-001'),
    annotatedPage: inPath(
      'page',
      'The page as addresses of canvases name it: the file’s name with a hyphen before its extension.',
      text,
      keyOfPage(image.split('/').at(-1) ?? image),
    ),
    'collection.page': {
      name: 'page',
      in: 'query',
      description:
        'The number of a part of a collection with more than 1000 folders; without it the parts are named. Other collections have none, and ignore it.',
      schema: { type: 'integer', minimum: 1 },
    },
    'manifest.start': {
      name: 'start',
      in: 'query',
      description: 'The id of a canvas of the manifest, at which it then begins. Any other value has no effect.',
      schema: { type: 'string', default: '' },
    },
  },
  schemas: {
    Manifest2: members([...members2, 'sequences'], `One sequence with a canvas for each page. ${ownFile}`),
    Manifest3: members(members3, `A canvas for each page. ${ownFile}`),
    AnnotationList2: members([...members2, 'resources']),
    AnnotationPage3: members(members3),
    Collection2: members([...members2, 'manifests']),
    Collection3: members(members3),
  },
});

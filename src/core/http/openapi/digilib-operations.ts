/** digilib's addresses in the API description: the Scaler, the information endpoints, and the Texter. */

import { type DigilibEndpointName, digilibEndpoints } from '../../../features/digilib/api-routes.ts';
import { infoObjectPaths } from '../../../features/digilib/info-object.ts';
import { optionNames } from '../../../features/digilib/options.ts';
import { settableNames } from '../../../features/digilib/parameters.ts';
import { formatExtensions } from '../../../features/iiif-image/version.ts';
import { informationPaths, servletPaths } from '../../image/addresses/servlets.ts';
import { formatNames, type SourceFormat, sourceFormats } from '../../image/model/formats.ts';
import { contentIn, contentOf, jsonContent, taggedAnswers } from './answers.ts';
import type { Example } from './example.ts';
import type { Answers, Operation } from './operation.ts';
import { clientNames, type QueryParameterName } from './query-parameters.ts';
import type { SchemaName } from './schemas.ts';

/** An operation at a servlet's own addresses, and at those with the path of an image after them. */
function servletOperations(
  name: string,
  operation: Omit<Operation, 'tag' | 'paths'>,
  belowPath: Partial<Operation> = {},
): readonly Operation[] {
  const paths = servletPaths(name);
  const below = { id: `${operation.id}BelowPath`, paths: paths.map((path) => `${path}/{path}`), parameters: ['path'] };
  return [
    { ...operation, tag: 'digilib', paths },
    { ...operation, tag: 'digilib', ...below, ...belowPath },
  ];
}

/** The media types of rendered pictures and of original files. */
const pictureFormats = new Set([
  ...optionNames.flatMap((option) => formatExtensions[option] ?? []),
  ...(Object.keys(sourceFormats) as SourceFormat[]),
]);
const pictureTypes: readonly string[] = [
  ...[...pictureFormats].map((format) => formatNames[format].mediaType),
  'application/octet-stream',
];

const pictureAnswers: Answers = {
  ...taggedAnswers(
    'The picture: JPEG for JPEG and JPEG 2000 sources, PNG for all others, or the format that `mo` names. With `mo=file` the original file under its own type, with `mo=rawfile` as a download.',
    contentIn(pictureTypes),
  ),
  206: {
    description: 'The range of an original file that the header `Range` names.',
    content: contentIn(pictureTypes),
  },
  412: { description: 'The original file is another one than `If-Match` or `If-Unmodified-Since` says.' },
  416: { description: 'The original file has no such range; `Content-Range` gives its length in bytes.' },
};

const legacyErrors = ' This server sends error pictures and texts with status 200, as digilib does.';

function scalerOperations(legacyErrorStatus: boolean): readonly Operation[] {
  const description = `The part of the image that \`wx\`, \`wy\`, \`ww\`, \`wh\` select is scaled to \`dw\` and \`dh\` according to the mode in \`mo\` says, then mirrored, rotated and colored. A mode that scales needs \`dw\` or \`dh\`; without them the answer is 400.${legacyErrorStatus ? legacyErrors : ''}`;
  const summary = 'A picture of an image';
  return servletOperations(
    'Scaler',
    { id: 'scaler', summary, description, parameters: clientNames, answers: pictureAnswers, errors: 'digilib-picture' },
    {
      summary: 'A picture of the image that the path names',
      description: `${description} A \`fn\` in the query is appended to the path.`,
      parameters: ['path', ...clientNames.filter((name) => name !== 'fn')],
    },
  );
}

const infoObjectOperation = ({ answers }: Example): Operation => ({
  id: 'dlInfoJson',
  tag: 'digilib',
  paths: infoObjectPaths,
  summary: 'The info object: all parameters as the server parsed them, and facts about the image',
  description:
    'The status is 200 even if there is no image or the caller may not see it; then the facts keep their defaults.',
  parameters: settableNames,
  answers: {
    200: {
      description: 'It differs for each request and therefore has no ETag.',
      content: jsonContent('InfoObject', answers.InfoObject),
    },
  },
  errors: 'any',
});

const mediaTypes = { json: 'application/json', xml: 'text/xml' } as const;

const operationId = (fileName: string): string =>
  fileName.replace(/\.jsp$/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

interface EndpointDescription {
  readonly summary: string;
  readonly parameters: readonly QueryParameterName[];
  readonly schema?: SchemaName;
}

const nameOfAnImage = ['fn', 'pn', 'id_token'] as const;
const nameOfAFolder = ['fn', 'pn', 'mo.dir', 'id_token'] as const;

const endpointDescriptions: Readonly<Record<DigilibEndpointName, EndpointDescription>> = {
  'dlInfo-xml.jsp': { summary: 'The info object as XML', parameters: settableNames, schema: 'InfoObjectXml' },
  'ImgInfo-json.jsp': {
    summary: 'Name, size and resolution of an image; {} if there is none',
    parameters: nameOfAnImage,
    schema: 'ImageInfo',
  },
  'dlContext-xml.jsp': { summary: 'The context of an image from metadata files', parameters: nameOfAnImage },
  'dirInfo-json.jsp': {
    summary: 'The image files of a folder; {} if there is none',
    parameters: nameOfAFolder,
    schema: 'FolderInfo',
  },
  'dirInfo-xml.jsp': {
    summary: 'The image files of a folder as XML',
    parameters: nameOfAFolder,
    schema: 'FolderInfoXml',
  },
};

function endpointOperation(name: DigilibEndpointName, { answers }: Example): Operation {
  const { summary, parameters, schema } = endpointDescriptions[name];
  const content = contentOf(schema, schema && answers[schema]);
  return {
    id: operationId(name),
    tag: 'digilib',
    paths: informationPaths(name),
    summary,
    parameters,
    answers: taggedAnswers(
      'The information that the caller may see.',
      contentIn([mediaTypes[digilibEndpoints[name].form]], content),
    ),
    errors: 'any',
  };
}

const textTypes = ['text/plain', 'text/xml', 'text/html'];

const texterOperations = servletOperations(
  'Texter',
  {
    id: 'texter',
    summary: 'The text of a page, or another text file of a folder',
    description:
      'Sends the `pn`-th of the files `.txt`, `.xml`, `.html` and `.htm` in the folder `txt` inside of the folder `fn` (the setting `digilib.textFolder`), else of `fn` itself; `fn` can also name a file. Forms may send the parameters by POST. Texts that belong to no image are sent from folders for texts alone.',
    parameters: nameOfAnImage,
    answers: taggedAnswers('The file as it is.', contentIn(textTypes, contentOf(undefined))),
    errors: 'document',
  },
  { parameters: ['path', 'pn', 'id_token'] },
);

export const digilibOperations = (example: Example, legacyErrorStatus: boolean): readonly Operation[] => [
  infoObjectOperation(example),
  ...(Object.keys(endpointDescriptions) as DigilibEndpointName[]).map((name) => endpointOperation(name, example)),
  ...scalerOperations(legacyErrorStatus),
  ...texterOperations,
];

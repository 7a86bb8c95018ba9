/** digilib's addresses in the API description: the Scaler, the information endpoints, and the Texter. */
import {
  type Answers,
  type ApiPart,
  contentIn,
  contentOf,
  type Example,
  jsonContent,
  type Operation,
  type Parameter,
  type Schema,
  taggedAnswers,
} from '../../core/http/openapi/operation.ts';
import { informationPaths, servletPaths } from '../../core/image/addresses/servlets.ts';
import { operatorMeanings } from '../../core/image/model/color.ts';
import { formatNames, type SourceFormat, sourceFormats } from '../../core/image/model/formats.ts';
import { type DigilibEndpointName, digilibEndpoints } from './api-routes.ts';
import { infoObjectPaths } from './info-object-request.ts';
import {
  formatValue,
  optionMeanings,
  optionNames,
  type ParameterName,
  type ParameterType,
  parameterNames,
  parameters,
  settableNames,
} from './parameters.ts';

const types: Readonly<Record<ParameterType, Schema>> = {
  int: { type: 'integer', format: 'int32' },
  float: { type: 'number', format: 'float' },
  string: { type: 'string' },
  options: { type: 'array', items: { type: 'string', enum: optionNames } },
};

const list = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([name, meaning]) => `\n- \`${name}\`: ${meaning}`)
    .join('');

/** Text that follows the table's one-line meaning. */
const more: Partial<Record<ParameterName, string>> = {
  mo: `. Unknown ones are dropped.\n${list(optionMeanings)}`,
  colop: `, in upper or lower case; an unknown one has no effect.\n${list(operatorMeanings)}`,
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function descriptionOf(name: ParameterName): string {
  const { meaning, scope } = parameters[name];
  const echoed = scope === 'c' ? '; echoed unless the image’s own facts replace it' : '';
  return `${capitalized(meaning)}${echoed}${more[name] ?? '.'}`;
}

function defaultOf(name: ParameterName): unknown {
  const value = parameters[name].default;
  return value instanceof Set ? [...value] : value;
}

/** The width `dw` of the example requests, in pixels. */
const exampleWidth = 400;

/** A parameter's name; `mo.dir` is `mo` for the endpoints that heed its option `dir` alone. */
type QueryParameterName = ParameterName | 'mo.dir';

const folderOptions: Parameter = {
  name: 'mo',
  in: 'query',
  description: `With \`dir\`: ${optionMeanings.dir}.`,
  schema: { type: 'string', enum: ['', 'dir'], default: '' },
};

/** The parameters that a client can set, with the path of an image for the examples. */
function queryParameters(image: string): Partial<Readonly<Record<QueryParameterName, Parameter>>> {
  const examples: Partial<Record<ParameterName, unknown>> = { fn: image, dw: exampleWidth };
  const whole = Object.fromEntries(
    settableNames.map((name): readonly [string, Parameter] => {
      const { type } = parameters[name];
      const example = examples[name];
      return [
        name,
        {
          name,
          in: 'query',
          description: descriptionOf(name),
          schema: { ...types[type], default: defaultOf(name) },
          ...(type === 'options' ? { style: 'form', explode: false } : {}),
          ...(example === undefined ? {} : { example }),
        },
      ];
    }),
  );
  return { ...whole, 'mo.dir': folderOptions };
}

/** The schema of a parameter as a member of the info object, where every value is text. */
const memberSchema = (name: ParameterName): Schema => ({
  type: 'string',
  description: `${capitalized(parameters[name].meaning)}.`,
  default: formatValue(name, parameters[name].default),
});

const clientNames: readonly ParameterName[] = settableNames.filter((name) => parameters[name].scope === 's');

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
  ...(['jpeg', 'png', 'webp'] as const),
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

const infoObjectOperation: Operation = {
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
      content: jsonContent('InfoObject'),
    },
  },
  errors: 'any',
};

const mediaTypes = { json: 'application/json', xml: 'text/xml' } as const;

const operationId = (fileName: string): string =>
  fileName.replace(/\.jsp$/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

interface EndpointDescription {
  readonly summary: string;
  readonly parameters: readonly QueryParameterName[];
  readonly schema?: string;
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

function endpointOperation(name: DigilibEndpointName): Operation {
  const { summary, parameters, schema } = endpointDescriptions[name];
  const content = contentOf(schema);
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
    answers: taggedAnswers('The file as it is.', contentIn(textTypes, contentOf())),
    errors: 'document',
  },
  { parameters: ['path', 'pn', 'id_token'] },
);

const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', minimum: 0 };
const side: Schema = { ...count, description: 'In pixels of the highest resolution.' };
const attribute: Schema = { type: 'string', xml: { attribute: true } };

const infoObject: Schema = {
  description: `${parameterNames.length} members, all of them text. Those of the image are set if \`fn\` names one that the caller may see.`,
  type: 'object',
  properties: Object.fromEntries(parameterNames.map((name) => [name, memberSchema(name)])),
  required: parameterNames,
  additionalProperties: false,
};

const infoObjectXml: Schema = {
  description: 'A `parameter` for each member of the info object, sorted by name.',
  type: 'object',
  xml: { name: 'document-parameters' },
  properties: {
    parameter: {
      type: 'array',
      items: { type: 'object', properties: { name: attribute, value: attribute }, required: ['name', 'value'] },
    },
  },
};

/** One object with all required members, with none, or with `auth_required` alone. */
const disclosed = (required: readonly string[], what: string): Schema => ({
  anyOf: [
    { title: what, required },
    { title: 'Nothing', maxProperties: 0 },
    { title: 'Not for this caller', required: ['auth_required'], maxProperties: 1 },
  ],
});

const pageNumber: Schema = { type: 'integer', minimum: 1, description: 'The `pn` of the file.' };
const stem: Schema = { ...text, description: 'The name without its extension.' };
const fileName: Schema = { ...text, description: 'The name with its extension.' };
const folderPath: Schema = { ...text, description: 'The folder’s path.' };

const authRequired: Schema = {
  type: 'boolean',
  description: 'Whether the caller needs further roles to see it; only present where access is restricted.',
};

const imageInfo: Schema = {
  type: 'object',
  properties: {
    filename: { type: 'string', description: 'The file’s name with its extension.' },
    aspect: { type: 'number', description: 'Width divided by height.' },
    dpi_x: { type: 'number', description: 'Horizontal resolution in dpi; 0 where it is unknown.' },
    dpi_y: { type: 'number', description: 'Vertical resolution in dpi; 0 where it is unknown.' },
    width: side,
    height: side,
    auth_required: authRequired,
  },
  additionalProperties: false,
  ...disclosed(['filename', 'aspect', 'dpi_x', 'dpi_y', 'width', 'height'], 'An image'),
};

const folderInfo: Schema = {
  type: 'object',
  properties: {
    url_path: folderPath,
    count: { type: 'string', pattern: '^[0-9]+$', description: 'The number of image files in it, as text.' },
    files: {
      type: 'array',
      description: 'The image files in the order of `pn`, of which the example shows the first; empty with `mo=dir`.',
      items: {
        type: 'object',
        properties: { index: pageNumber, fn: stem, file: fileName },
        required: ['index', 'fn', 'file'],
        additionalProperties: false,
      },
    },
    auth_required: authRequired,
  },
  additionalProperties: false,
  ...disclosed(['url_path', 'count', 'files'], 'A folder'),
};

const folderInfoXml: Schema = {
  description: 'An empty `dir` where there is no folder.',
  type: 'object',
  xml: { name: 'dir' },
  properties: {
    size: { ...count, description: 'The number of image files in the folder.' },
    name: folderPath,
    'auth-required': authRequired,
    file: {
      type: 'array',
      items: { type: 'object', properties: { index: pageNumber, name: stem, fsname: fileName } },
    },
  },
};

export const apiPart = ({ image }: Example, legacyErrorStatus: boolean, hasTexts: boolean): ApiPart => ({
  operations: [
    infoObjectOperation,
    ...(Object.keys(endpointDescriptions) as DigilibEndpointName[]).map(endpointOperation),
    ...scalerOperations(legacyErrorStatus),
    ...(hasTexts ? texterOperations : []),
  ],
  parameters: queryParameters(image),
  schemas: {
    InfoObject: infoObject,
    InfoObjectXml: infoObjectXml,
    ImageInfo: imageInfo,
    FolderInfo: folderInfo,
    FolderInfoXml: folderInfoXml,
  },
});

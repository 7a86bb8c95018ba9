/** Assembles the API description: all operations at all their addresses, and the components that they share (OpenAPI 3.1). */

import { formatIdentifierSegment, parentOf } from '../../image/addresses/iiif-addresses.ts';
import { folderOrders } from '../../image/folder/folder-wish.ts';
import { type About, descriptionPath } from '../about.ts';
import type { DigilibErrors, ErrorForm } from '../error-responses.ts';
import { maxParameters } from '../query-pairs.ts';
import { maxAddressBytes } from '../target.ts';
import { errorAnswers, sharedErrorAnswers } from './error-answers.ts';
import {
  type Answers,
  type ApiPart,
  contentIn,
  type Example,
  inPath,
  inQuery,
  type Operation,
  type Parameter,
  reference,
  type Schema,
  taggedAnswers,
} from './operation.ts';

/** The facts about this server and this request that the description contains. */
interface DescribedServer {
  readonly about: About;
  /** Its address up to and including the context path, without a slash at the end. */
  readonly address: string;
  readonly errors: DigilibErrors;
  readonly tokenCookie: string;
  readonly example: Example;
  /** What the features add. */
  readonly parts: readonly ApiPart[];
}

const furtherAddresses = 'further addresses';

const tags = [
  {
    name: 'digilib',
    description:
      'Names of parameters are case-sensitive; unknown ones are ignored. A number that is empty or does not parse keeps its default. Beside `&`, pairs may be separated by `;` or `&amp;`, and the old form `fn+pn+ws+mo+mk+wx+wy+ww+wh` is read too.',
  },
  {
    name: 'IIIF Image',
    description: 'Versions 3.0, 2.1 and 1.1 of the same images.',
    externalDocs: { url: 'https://iiif.io/api/image/3.0/' },
  },
  {
    name: 'IIIF Presentation',
    description: 'Folders as manifests and collections, in versions 3.0 and 2.1.',
    externalDocs: { url: 'https://iiif.io/api/presentation/3.0/' },
  },
  {
    name: 'reading room',
    description:
      'The viewer in the browser, and the lists that it requests. Errors of the lists are JSON: `{ "error": "login-needed", "message": "…" }`.',
  },
  { name: 'server', description: 'The server’s own pages.' },
  {
    name: furtherAddresses,
    description:
      'Equivalent addresses of the operations above, which digilib’s servlets and viewers have had over the years.',
  },
];

const introductionOf = ({ example: { slash }, errors }: DescribedServer): string => `For every address:

- **Methods.** GET, HEAD (the same headers without a body) and OPTIONS. PDFCache takes forms by POST, and what changes something is asked by POST. All others are answered 405, because the server only reads.
- **CORS.** Pages of any origin may read the answers, except the configuration.
- **JSON.** IIIF’s documents are plain JSON, or JSON-LD for clients that name \`application/ld+json\` in \`Accept\`.
- **Caching.** Pictures and documents have an \`ETag\`; a request with a matching \`If-None-Match\` is answered 304. With \`v=VERSION\` in the query, where the version is that of the header \`Lectern-Version\` of info.json, a picture never changes.
- **Errors.** The status is the true one, and the body is one sentence about what is wrong (JSON for the reading room’s lists); the Scaler sends ${defaultForms[errors.defaultForm]} unless \`mo\` asks for another form. 502, 503 and 504 come with \`Retry-After\`.
- **Limits.** An address has at most ${maxAddressBytes} bytes, a query at most ${maxParameters} parameters.
- **Names.** A path names an image below the library’s folders, with or without the extension of its file. In IIIF identifiers a slash is written \`${slash}\` or \`%2F\`.
- **Access.** Where the configuration restricts it, an OpenID Connect ID token identifies the caller.`;

const securitySchemesOf = ({ tokenCookie }: DescribedServer) => ({
  idToken: {
    type: 'apiKey',
    in: 'query',
    name: 'id_token',
    description: 'An OpenID Connect ID token. Only where access is restricted.',
  },
  idTokenCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: tokenCookie,
    description: 'The same in a cookie. Only where access is restricted.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same in the header `Authorization`. Only where access is restricted.',
  },
});

const headers = {
  ETag: { description: 'Changes with the answer; for `If-None-Match`.', schema: { type: 'string' } },
  Link: { description: 'The canonical address, and the level of compliance.', schema: { type: 'string' } },
  Location: { description: 'The address to request instead.', schema: { type: 'string', format: 'uri-reference' } },
};

const defaultForms: Readonly<Record<ErrorForm, string>> = {
  image: 'a picture',
  text: 'text',
  code: 'the status alone',
};

/** A unique id for each further address, made of the operation's id and the words of the address. */
const idAt = (id: string, path: string): string =>
  [id, ...path.replace(/\{\w+\}/g, '').split(/[^A-Za-z0-9]+/)].filter((word) => word !== '').join('_');

type Entry = readonly [name: string, value: object];

/** The successful answers that all addresses of an operation share, by name; none where it has a single address. */
const sharedAnswersOf = ({ id, answers, paths }: Operation): readonly Entry[] =>
  paths.length > 1 ? Object.entries(answers).map(([status, answer]) => [`${id}${status}`, answer]) : [];

function answersAt({ id, answers, errors, paths }: Operation): Answers {
  const named = Object.keys(answers).map((status) => [status, reference('responses', `${id}${status}`)]);
  return { ...(paths.length > 1 ? Object.fromEntries(named) : answers), ...errorAnswers(errors) };
}

function pathsOf(operation: Operation): readonly Entry[] {
  const { id, tag, paths, summary, description, parameters = [] } = operation;
  const [usual = '', ...further] = paths;
  const shared = {
    parameters: parameters.map((name) => reference('parameters', name)),
    responses: answersAt(operation),
  };
  return [
    [usual, { get: { operationId: id, tags: [tag], summary, ...(description && { description }), ...shared } }],
    ...further.map((path): Entry => {
      const alike = { summary, description: `The same as at \`${usual}\`.` };
      return [path, { get: { operationId: idAt(id, path), tags: [furtherAddresses], ...alike, ...shared } }];
    }),
  ];
}

const postsOf = ({ posts = {} }: ApiPart): readonly Entry[] =>
  Object.entries(posts).map(([path, post]): Entry => [path, { post }]);

const text: Schema = { type: 'string', minLength: 1 };

const slashes = 'its slashes percent-encoded as `%2F` or, where a client can, as they are';

/** Parameters of several features by name; the examples are the path of an image and of its folder. */
function sharedParameters({ image, folder, slash }: Example): Readonly<Record<string, Parameter>> {
  const identifier = (path: string): string => decodeURIComponent(formatIdentifierSegment(path, slash)) || '/';
  return {
    path: inPath('path', `The path of the image, ${slashes}.`, text, image),
    identifier: inPath(
      'identifier',
      `The path of the image, with \`${slash}\` or \`%2F\` for its slashes.`,
      text,
      identifier(image),
    ),
    folderIdentifier: inPath(
      'identifier',
      `The path of the folder, or of an image in it, with \`${slash}\` or \`%2F\` for its slashes.`,
      text,
      identifier(folder),
    ),
    folder: inPath('folder', `The path of the folder, ${slashes}.`, text, folder),
    folderOfFolders: inPath('folder', `The path of the folder, ${slashes}.`, text, parentOf(folder) || folder),
    'readingRoom.order': inQuery(
      'order',
      'The order of folders, by what their metadata says; that of the library without it.',
      {
        enum: [...folderOrders],
      },
    ),
    'readingRoom.author': inQuery('author', 'Only folders by this author, as their metadata has the name.', {
      type: 'string',
      default: '',
    }),
    'readingRoom.language': inQuery('language', 'Only folders in this language, as their metadata has its name.', {
      type: 'string',
      default: '',
    }),
    'readingRoom.after': inQuery('after', 'Only folders of this year and later.', { type: 'integer', minimum: 0 }),
    'readingRoom.before': inQuery('before', 'Only folders of this year and earlier.', { type: 'integer', minimum: 0 }),
    'readingRoom.facets': inQuery('facets', '`1` tells what can be chosen.', { enum: ['1'] }),
    'readingRoom.lang': inQuery('lang', 'The reader’s languages, the preferred one first, such as `de,en`.', {
      type: 'string',
      default: '',
    }),
    id_token: inQuery('id_token', 'An OpenID Connect ID token; only where access is restricted.', {
      type: 'string',
      default: '',
    }),
  };
}

const readingRoomError: Schema = {
  type: 'object',
  description: 'An error of the reading room’s addresses, or a refusal.',
  properties: {
    error: { type: 'string', description: 'A code for programs: `login-needed`, `denied`, `not-found` …' },
    message: { type: 'string', description: 'What is wrong and what would be right, in one sentence.' },
    retryAfterSeconds: {
      type: 'integer',
      description: 'As `Retry-After`, of what is refused because others ask for so much.',
    },
    dataSet: { type: 'string', description: 'The address of the data set of the folder that was asked for.' },
    changes: { type: 'string', description: 'The address of the list of changes of all manifests.' },
    contact: { type: 'string', description: 'Whom to ask.' },
  },
  required: ['error', 'message'],
  additionalProperties: false,
};

const ownDescription: Operation = {
  id: 'apiDescription',
  tag: 'server',
  paths: [descriptionPath],
  summary: 'This description',
  description:
    'Its addresses begin with the host of the request, and its examples name an image that the caller may see.',
  answers: taggedAnswers(
    'OpenAPI 3.1, in JSON.',
    contentIn(['application/json'], { schema: { type: 'object', required: ['openapi', 'info', 'paths'] } }),
  ),
  errors: 'any',
};

export function openApiDocument(server: DescribedServer): object {
  const { about, address, example, errors, parts } = server;
  const securitySchemes = securitySchemesOf(server);
  const { version, license, description } = about;
  const operations = [...parts.flatMap((part) => part.operations), ownDescription];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lectern',
      version,
      summary: description,
      description: introductionOf(server),
      license: { name: license, identifier: license },
    },
    servers: [{ url: address }],
    tags,
    security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
    paths: Object.fromEntries([...operations.flatMap(pathsOf), ...parts.flatMap(postsOf)]),
    components: {
      schemas: {
        ...Object.assign({}, ...parts.map(({ schemas }) => schemas)),
        ReadingRoomError: readingRoomError,
        ErrorSentence: { type: 'string', description: 'What is wrong and what would be right, in one sentence.' },
      },
      parameters: Object.assign(sharedParameters(example), ...parts.map(({ parameters }) => parameters)),
      responses: {
        ...Object.fromEntries(operations.flatMap(sharedAnswersOf)),
        NotModified: { description: 'The client’s copy is current: `If-None-Match` names its ETag.' },
        ...sharedErrorAnswers(errors.pictures),
      },
      headers,
      securitySchemes,
    },
  };
}

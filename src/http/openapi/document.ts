/** Puts the API description together: all operations at all their addresses, and what they share (OpenAPI 3.1). */
import { maxParameters } from '../../digilib/query.ts';
import type { ErrorForm } from '../../digilib/request.ts';
import type { DigilibErrors } from '../errors.ts';
import type { IiifMount } from '../iiif-mounts.ts';
import type { PresentationPlace } from '../routes/presentation.ts';
import { type About, maxAddressBytes } from '../service.ts';
import { digilibOperations } from './digilib-operations.ts';
import { errorAnswers, sharedErrorAnswers } from './error-answers.ts';
import type { Example } from './example.ts';
import { iiifImageOperations, presentationOperations } from './iiif-operations.ts';
import { type Answers, type Operation, reference } from './operation.ts';
import { pathParameters } from './path-parameters.ts';
import { queryParameters } from './query-parameters.ts';
import { roomOperations } from './room-operations.ts';
import { roomParameters } from './room-parameters.ts';
import { schemas } from './schemas.ts';
import { serverOperations } from './server-operations.ts';

/** What the description says of this server, and shows to the one who asks. */
export interface DescribedServer {
  readonly about: About;
  /** Its address up to the context path, without a slash at the end. */
  readonly address: string;
  /** Below the context path. */
  readonly iiif: readonly IiifMount[];
  readonly presentation: readonly PresentationPlace[];
  readonly errors: DigilibErrors;
  /** What stands for a slash in identifiers. */
  readonly slash: string;
  /** The cookie that holds a token. */
  readonly tokenCookie: string;
  readonly example: Example;
  /** Whether other pages can show the viewer by a script of ours. */
  readonly hasElement: boolean;
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
      'The viewer in the browser, and what it asks of the library. Its errors in JSON say what was wrong: `{ "error": "login-needed", "message": "…" }`.',
  },
  { name: 'server', description: 'The server’s own pages.' },
  {
    name: furtherAddresses,
    description:
      'Where the operations above are answered too: the places that digilib’s servlets and viewers have had over the years.',
  },
];

const introductionOf = ({ slash, errors }: DescribedServer): string => `What holds for every address:

- **Methods.** It takes GET, HEAD (the same headers without a body) and OPTIONS. Any other is answered 405: the server only reads.
- **Other origins.** Pages of any origin may read the answers, but for the configuration.
- **JSON.** IIIF’s documents are plain JSON, or JSON-LD for those who name \`application/ld+json\` in \`Accept\`.
- **Caching.** Pictures and documents have an \`ETag\`; with \`If-None-Match\` they are answered 304.
- **Errors.** They have their true status and one sentence of text that says what was wrong, in JSON for the reading room; the Scaler sends ${defaultForms[errors.defaultForm]} unless \`mo\` asks for another form. 503 comes with \`Retry-After\`.
- **Bounds.** An address has at most ${maxAddressBytes} bytes, a query at most ${maxParameters} parameters.
- **Names.** A path names an image below the library’s folders, with or without the extension of its file. \`${slash}\` or \`%2F\` stands for a slash in IIIF identifiers.
- **Access.** Where the configuration restricts it, an OpenID Connect ID token tells who asks.`;

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
  ETag: { description: 'Equal for equal answers; for `If-None-Match`.', schema: { type: 'string' } },
  Link: { description: 'The canonical address, and the level of compliance.', schema: { type: 'string' } },
  Location: { description: 'Where to ask instead.', schema: { type: 'string', format: 'uri-reference' } },
};

const defaultForms: Readonly<Record<ErrorForm, string>> = {
  image: 'a picture',
  text: 'text',
  code: 'the status alone',
};

const commonAnswers = {
  NotModified: { description: 'The client has the current one: `If-None-Match` names its tag.' },
};

/** An id of its own for each further address: the operation's and the address's words. */
const idAt = (id: string, path: string): string =>
  [id, ...path.replace(/\{\w+\}/g, '').split(/[^A-Za-z0-9]+/)].filter((word) => word !== '').join('_');

/** What succeeds is described once for all addresses of an operation. */
const sharedName = (id: string, status: string): string => `${id}${status}`;

const isShared = ({ paths }: Operation): boolean => paths.length > 1;

function answersAt(operation: Operation): Answers {
  const { id, answers, errors } = operation;
  const named = Object.keys(answers).map((status) => [status, reference('responses', sharedName(id, status))]);
  return { ...(isShared(operation) ? Object.fromEntries(named) : answers), ...errorAnswers(errors) };
}

type Entry = readonly [name: string, value: object];

function pathsOf(operation: Operation): readonly Entry[] {
  const { id, tag, paths, summary, description, parameters } = operation;
  const [usual, ...further] = paths;
  const shared = {
    parameters: parameters.map((name) => reference('parameters', name)),
    responses: answersAt(operation),
  };
  const described = description === undefined ? {} : { description };
  return [
    [usual, { get: { operationId: id, tags: [tag], summary, ...described, ...shared } }],
    ...further.map((path): Entry => {
      const alike = { summary, description: `The same as at \`${usual}\`.` };
      return [path, { get: { operationId: idAt(id, path), tags: [furtherAddresses], ...alike, ...shared } }];
    }),
  ];
}

const sharedAnswersOf = ({ id, answers }: Operation): readonly Entry[] =>
  Object.entries(answers).map(([status, answer]) => [sharedName(id, status), answer]);

/** All operations. */
const operationsOf = ({ example, iiif, presentation, errors, hasElement }: DescribedServer): readonly Operation[] => [
  ...digilibOperations(example, errors.legacyStatus),
  ...iiifImageOperations(iiif, example),
  ...presentationOperations(presentation),
  ...roomOperations(hasElement),
  ...serverOperations,
];

/** The description as plain data, to be written as JSON. */
export function openApiDocument(server: DescribedServer): object {
  const { about, address, example, slash, errors } = server;
  const securitySchemes = securitySchemesOf(server);
  const { version, license, description } = about;
  const operations = operationsOf(server);
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
    paths: Object.fromEntries(operations.flatMap(pathsOf)),
    components: {
      schemas,
      parameters: {
        ...queryParameters(example.image),
        ...pathParameters(example.image, example.folder, slash),
        ...roomParameters(example),
      },
      responses: {
        ...Object.fromEntries(operations.filter(isShared).flatMap(sharedAnswersOf)),
        ...commonAnswers,
        ...sharedErrorAnswers(errors.pictures),
      },
      headers,
      securitySchemes,
    },
  };
}

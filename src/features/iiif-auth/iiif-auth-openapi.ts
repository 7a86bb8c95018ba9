/** The addresses of Authorization Flow 2.0 and Authentication 1.0, in the API description. */
import {
  type ApiPart,
  contentIn,
  inPath,
  inQuery,
  type Operation,
  page,
  type Schema,
} from '../../core/http/openapi/operation.ts';
import { authPaths } from './services.ts';

const text: Schema = { type: 'string' };

const html = (description: string): Operation['answers'] => ({ 200: { description, content: page } });

const common = { tag: 'server', errors: 'any' } as const;

const login: Operation = {
  ...common,
  id: 'iiifAuthLogin',
  paths: [authPaths.login],
  summary: 'The window in which a viewer lets people sign in',
  description: 'It closes itself. By POST its reader lets pages of the origin read what it may see.',
  parameters: ['iiifAuth.origin'],
  answers: { ...html('A page that asks its reader, or closes itself.'), 303: { description: 'To the sign-in.' } },
};

const kiosk: Operation = {
  ...common,
  id: 'iiifAuthKiosk',
  paths: [authPaths.kiosk],
  summary: 'A window that closes itself at once',
  description: 'For devices that the house has set up.',
  parameters: ['iiifAuth.origin'],
  answers: html('A page that closes itself.'),
};

const messageParameters = ['iiifAuth.messageId', 'iiifAuth.origin'];

const token2: Operation = {
  ...common,
  id: 'iiifAuthToken2',
  paths: [authPaths.token2],
  summary: 'The access token service of Authorization Flow 2.0',
  description: 'Its page sends the token, or why there is none, to pages of the origin alone.',
  parameters: messageParameters,
  answers: html('A page for a frame.'),
};

const token1: Operation = {
  ...token2,
  id: 'iiifAuthToken1',
  paths: [authPaths.token1],
  summary: 'The access token service of Authentication 1.0',
  description: 'The same; without `messageId` it is JSON, for programs that are no browsers.',
};

const logout: Operation = {
  ...common,
  id: 'iiifAuthLogout',
  paths: [authPaths.logout],
  summary: 'The logout service',
  description: 'Signs out who has clicked to come here, and asks others.',
  answers: html('A page that closes itself.'),
};

const resultSchema: Schema = {
  type: 'object',
  required: ['@context', 'type', 'status'],
  properties: {
    status: { type: 'integer' },
    substitute: { type: 'array', items: { type: 'object', required: ['id', 'type'] } },
    heading: { type: 'object' },
    note: { type: 'object' },
  },
};

const probe: Operation = {
  tag: 'server',
  errors: 'readingRoom',
  id: 'iiifAuthProbe',
  paths: [`${authPaths.probe}/{resource}`],
  summary: 'The probe service',
  description: 'Says what the resource, whose address is the rest of this one, would answer with a session.',
  parameters: ['iiifAuth.resource'],
  answers: {
    200: {
      description: 'The status, and a smaller image where the caller may see that alone.',
      content: contentIn(['application/json'], { schema: resultSchema }),
    },
  },
};

export const iiifAuthApi = (hasKiosk: boolean): ApiPart => ({
  operations: [login, ...(hasKiosk ? [kiosk] : []), token2, token1, logout, probe],
  parameters: {
    'iiifAuth.origin': inQuery('origin', 'The origin of the viewer’s page.', text),
    'iiifAuth.messageId': inQuery('messageId', 'What the message repeats.', text),
    'iiifAuth.resource': inPath('resource', 'The path of the resource, below the context path.', text, 'pdf/x.pdf'),
  },
});

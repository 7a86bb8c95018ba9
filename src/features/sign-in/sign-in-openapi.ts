/** The addresses of the sign-in, in the API description. */
import { type ApiPart, contentIn, inQuery, type Operation, page } from '../../core/http/openapi/operation.ts';
import { signInPaths } from './sign-in-routes.ts';

const text = { type: 'string' };

const sessionSchema = {
  type: 'object',
  required: ['name', 'roles'],
  properties: {
    name: { type: ['string', 'null'] },
    roles: { type: 'array', items: text },
    fault: { type: 'string' },
  },
};

const session: Operation = {
  id: 'session',
  tag: 'server',
  paths: [signInPaths.session],
  summary: 'Who is signed in',
  description: '`name` is null where nobody is; `fault` says why a session does not count any more.',
  answers: {
    200: {
      description: 'The name and the roles.',
      content: contentIn(['application/json'], { schema: sessionSchema }),
    },
  },
  errors: 'readingRoom',
};

const begin = (hasForm: boolean): Operation => ({
  id: 'signIn',
  tag: 'server',
  paths: [signInPaths.begin],
  summary: 'Sign in',
  description:
    'The form is sent to the same address by POST, and to `/sign-out` from pages of this server, to sign out.',
  parameters: ['signIn.to'],
  answers: hasForm
    ? { 200: { description: 'A form for the name and the password.', content: page } }
    : { 303: { description: 'The page of the provider.' } },
  errors: 'any',
});

const callback: Operation = {
  id: 'signInCallback',
  tag: 'server',
  paths: [signInPaths.callback],
  summary: 'The way back from the provider of the sign-in',
  description: 'The provider signs people out by POST to `/sign-in/backchannel-logout`.',
  answers: { 303: { description: 'The page from which the reader came.' } },
  errors: 'any',
};

export const signInApi = (hasUsers: boolean, hasProvider: boolean): ApiPart => ({
  operations: [begin(hasUsers), ...(hasProvider ? [callback] : []), session],
  parameters: {
    'signIn.to': inQuery('to', 'Where the reader goes then: an address of this server, relative to its base.', text),
  },
});

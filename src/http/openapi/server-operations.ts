/** The server's own addresses in the API description. */
import { descriptionPath } from '../about.ts';
import { configPath } from '../routes/config.ts';
import { contentIn, page, taggedAnswers } from './answers.ts';
import type { Operation } from './operation.ts';

const description = { type: 'object', required: ['openapi', 'info', 'paths'] };

export const serverOperations: readonly Operation[] = [
  {
    id: 'apiDescription',
    tag: 'server',
    paths: [descriptionPath],
    summary: 'This description',
    description:
      'Its addresses begin with the host of the request, and its examples name an image that the caller may see.',
    answers: taggedAnswers('OpenAPI 3.1, in JSON.', contentIn(['application/json'], { schema: description })),
    errors: 'any',
  },
  {
    id: 'configuration',
    tag: 'server',
    paths: [configPath],
    summary: 'The running configuration',
    description: 'Pages of other origins may not read it.',
    answers: { 200: { description: 'A page for the people who run the server; all others get 404.', content: page } },
    errors: 'hidden',
  },
];

/** The server's own addresses in the API description. */

import { configPath } from '../../../features/operations/config-route.ts';
import { healthPath, metricsPath, readinessPath } from '../../../features/operations/health-routes.ts';
import { descriptionPath } from '../about.ts';
import { contentIn, contentOf, page, taggedAnswers } from './answers.ts';
import { type Operation, reference } from './operation.ts';

const description = { type: 'object', required: ['openapi', 'info', 'paths'] };

const textMember = { type: 'string' };

const readinessSchema = {
  type: 'object',
  required: ['ready', 'notReady', 'checks'],
  properties: {
    ready: { type: 'boolean' },
    notReady: { type: 'array', items: textMember },
    checks: {
      type: 'array',
      items: { type: 'object', required: ['name', 'state'], properties: { name: textMember, state: textMember } },
    },
  },
};

const readinessContent = contentIn(['application/json'], { schema: readinessSchema });

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
  {
    id: 'alive',
    tag: 'server',
    paths: [healthPath],
    summary: 'Whether the server lives',
    description: 'Also at the root, outside of the context path, as are the next two.',
    answers: { 200: { description: 'It does.', content: contentIn(['text/plain'], contentOf(undefined)) } },
    errors: 'any',
  },
  {
    id: 'ready',
    tag: 'server',
    paths: [readinessPath],
    summary: 'Whether the server can answer requests for images',
    answers: {
      200: { description: 'All parts that requests need are ready.', content: readinessContent },
      503: { description: 'The members of `notReady` are not.', content: readinessContent },
    },
    errors: 'any',
  },
  {
    id: 'metrics',
    tag: 'server',
    paths: [metricsPath],
    summary: 'Metrics for Prometheus',
    description: 'For the addresses of the setting `http.metricsFrom`; pages of other origins may not read them.',
    answers: {
      200: { description: 'The text form of Prometheus.', content: contentIn(['text/plain'], contentOf(undefined)) },
      403: reference('responses', 'Error403'),
    },
    errors: 'hidden',
  },
];

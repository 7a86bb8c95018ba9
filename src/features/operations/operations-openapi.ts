/** What those who run the server need, in the API description. */
import {
  type ApiPart,
  contentIn,
  contentOf,
  type Operation,
  page,
  reference,
} from '../../core/http/openapi/operation.ts';
import { configPath } from './config-route.ts';
import { healthPath, metricsPath, readinessPath } from './operations-routes.ts';

const textMember = { type: 'string' };

const readinessSchema = {
  type: 'object',
  required: ['ready', 'notReady', 'degraded', 'checks'],
  properties: {
    ready: { type: 'boolean' },
    notReady: { type: 'array', items: textMember },
    degraded: { type: 'array', items: textMember },
    checks: {
      type: 'array',
      items: { type: 'object', required: ['name', 'state'], properties: { name: textMember, state: textMember } },
    },
  },
};

const readinessContent = contentIn(['application/json'], { schema: readinessSchema });

const operations: readonly Operation[] = [
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
    answers: { 200: { description: 'It does.', content: contentIn(['text/plain'], contentOf()) } },
    errors: 'any',
  },
  {
    id: 'ready',
    tag: 'server',
    paths: [readinessPath],
    summary: 'Whether the server is to get requests',
    answers: {
      200: {
        description:
          'It is to get requests. The members of `degraded`, which the header `Lectern-Degraded` names too, are not ready.',
        content: readinessContent,
      },
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
      200: { description: 'The text form of Prometheus.', content: contentIn(['text/plain'], contentOf()) },
      403: reference('responses', 'Error403'),
    },
    errors: 'hidden',
  },
];

export const apiPart = (): ApiPart => ({ operations });

/** The addresses for the person on duty, in the API description. */
import {
  type ApiPart,
  contentIn,
  inQuery,
  type Operation,
  page,
  type Schema,
} from '../../core/http/openapi/operation.ts';
import { dutyPaths } from './duty-routes.ts';
import { measures } from './tallies.ts';
import { windowSeconds } from './windows.ts';

const number = { type: 'number' };
const text = { type: 'string' };

const rowSchema = {
  type: 'object',
  required: ['name', 'requests', 'ms', 'share', 'bytes', 'refused', 'longestMs'],
  properties: {
    name: text,
    ...{ requests: number, ms: number, share: number, bytes: number, refused: number, longestMs: number },
    agent: { ...text, description: 'Of a network: the program of its latest request.' },
  },
};

const rows = { type: 'array', items: rowSchema };
const queue = { type: 'object', properties: { running: number, waiting: number } };
const lists = ['networks', 'systems', 'agents', 'kinds', 'refusals', 'files'];

const costsSchema: Schema = {
  type: 'object',
  required: ['at', 'over', 'seconds', 'by', 'total', ...lists, 'renderings', 'pyramids'],
  properties: {
    at: { type: 'string', format: 'date-time' },
    over: { enum: [...windowSeconds] },
    seconds: { ...number, description: 'What the window is of: at most a sixth more, and less after a start.' },
    by: { enum: [...measures] },
    total: rowSchema,
    ...Object.fromEntries(lists.map((name) => [name, rows])),
    renderings: { type: 'object', properties: { small: queue, large: queue } },
    pyramids: { type: 'object', properties: { waiting: number, building: number, failed: number } },
    budgets: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: text, left: number, size: number, binds: { type: 'boolean' }, refused: number },
      },
    },
    holds: {
      type: 'array',
      items: { type: 'object', properties: { network: text, until: { type: 'string', format: 'date-time' } } },
    },
  },
};

const parameters = ['duty.over', 'duty.by'];

const pageOperation = (hasHolds: boolean): Operation => ({
  id: 'duty',
  tag: 'server',
  paths: [dutyPaths.page],
  summary: 'Who costs what, for the person on duty',
  description: hasHolds
    ? 'Networks are held and released by POST to the same address from pages of this server (`network`, and `do`: `hold` or `release`).'
    : 'Pages of other origins may not read it.',
  parameters,
  answers: { 200: { description: 'A page for the people who run the server; all others get 404.', content: page } },
  errors: 'hidden',
});

const costsOperation: Operation = {
  id: 'dutyCosts',
  tag: 'server',
  paths: [dutyPaths.costs],
  summary: 'The same as JSON',
  parameters,
  answers: {
    200: {
      description: 'Costs over a window, and queues, budgets and held networks as they are now.',
      content: contentIn(['application/json'], { schema: costsSchema }),
    },
  },
  errors: 'hidden',
};

export const apiPart = (hasHolds: boolean): ApiPart => ({
  operations: [pageOperation(hasHolds), costsOperation],
  parameters: {
    'duty.over': inQuery('over', 'The window, in seconds.', { enum: [...windowSeconds], default: 60 }),
    'duty.by': inQuery('by', 'What rows are sorted by.', { enum: [...measures], default: 'ms' }),
  },
});

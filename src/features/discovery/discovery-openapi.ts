/** The list of changes in the API description: schemas from the specification, Change Discovery 1.0. */
import {
  type ApiPart,
  contentIn,
  contentOf,
  inPath,
  type Operation,
  reference,
  type Schema,
  taggedAnswers,
} from '../../core/http/openapi/operation.ts';
import { changesPath, context } from './activities.ts';

const address: Schema = { type: 'string', format: 'uri', pattern: '^https?://' };

/** `xsd:dateTime`, in UTC (section 3.3, "endTime"). */
const time: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$',
};

const link = (type: string): Schema => ({
  type: 'object',
  properties: { id: address, type: { const: type } },
  required: ['id', 'type'],
});

/** A text by language, as the Presentation API has it. */
const languageMap: Schema = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
};

const seeAlso: Schema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: {
      id: address,
      type: { const: 'Dataset' },
      format: { type: 'string' },
      label: languageMap,
      profile: { type: 'string' },
    },
    required: ['id', 'type'],
  },
};

/** The context stands in the document itself, alone or at the end of others (section 3.4.1). */
const contextMember: Schema = {
  oneOf: [
    { const: context },
    {
      type: 'array',
      items: { type: 'string' },
      contains: { const: context },
      minItems: 1,
    },
  ],
};

/** Section 3.1. */
const collection: Schema = {
  type: 'object',
  properties: {
    '@context': contextMember,
    id: address,
    type: { const: 'OrderedCollection' },
    totalItems: { type: 'integer', minimum: 0 },
    first: link('OrderedCollectionPage'),
    last: link('OrderedCollectionPage'),
    seeAlso,
    partOf: { type: 'array', minItems: 1, items: link('OrderedCollection') },
    rights: { type: 'string' },
  },
  required: ['@context', 'id', 'type', 'last'],
};

/** Section 3.2. The first page alone has none before it. */
const page: Schema = {
  type: 'object',
  properties: {
    '@context': contextMember,
    id: address,
    type: { const: 'OrderedCollectionPage' },
    partOf: link('OrderedCollection'),
    startIndex: { type: 'integer', minimum: 0 },
    next: link('OrderedCollectionPage'),
    prev: link('OrderedCollectionPage'),
    orderedItems: { type: 'array', minItems: 1, items: reference('schemas', 'ChangeActivity') },
  },
  required: ['@context', 'id', 'type', 'orderedItems'],
};

const resource: Schema = {
  type: 'object',
  properties: {
    id: address,
    type: { type: 'string', minLength: 1 },
    seeAlso,
    canonical: { type: 'string', format: 'uri' },
  },
  required: ['id', 'type'],
};

/** Section 3.3. A refresh has neither object nor target; all others have an object. */
const activity: Schema = {
  type: 'object',
  properties: {
    id: address,
    type: { enum: ['Create', 'Update', 'Delete', 'Move', 'Add', 'Remove', 'Refresh'] },
    object: resource,
    target: resource,
    origin: resource,
    endTime: time,
    startTime: time,
    summary: { type: 'string' },
    actor: {
      type: 'object',
      properties: { id: { type: 'string' }, type: { enum: ['Application', 'Organization', 'Person'] } },
      required: ['id', 'type'],
    },
  },
  required: ['type'],
  oneOf: [
    {
      properties: { type: { const: 'Refresh' } },
      required: ['startTime'],
      not: { anyOf: [{ required: ['object'] }, { required: ['target'] }] },
    },
    { properties: { type: { enum: ['Create', 'Update', 'Delete', 'Add', 'Remove'] } }, required: ['object'] },
    { properties: { type: { const: 'Move' } }, required: ['object', 'target'] },
  ],
};

const jsonTypes = ['application/json', `application/ld+json;profile="${context}"`];

const answersOf = (schema: string, description: string) =>
  taggedAnswers(description, contentIn(jsonTypes, contentOf(schema)));

const operations: readonly Operation[] = [
  {
    id: 'changes',
    tag: 'IIIF Presentation',
    paths: [`/${changesPath}`],
    summary: 'All manifests that everyone may see, with their changes (IIIF Change Discovery 1.0)',
    description:
      'Each manifest has its latest change. Programs read from the last page back, until they find what they know. 503 with `Retry-After` while the library is read for the first time.',
    answers: answersOf('ChangeCollection', 'The first and the last page.'),
    errors: 'document',
  },
  {
    id: 'changesPage',
    tag: 'IIIF Presentation',
    paths: ['/activity/{changesPage}'],
    summary: 'A page of the list of changes, the latest at its end',
    description:
      'A change moves from its page to the last one when its manifest changes again, so that pages can be short.',
    parameters: ['changesPage'],
    answers: answersOf('ChangePage', 'The page.'),
    errors: 'document',
  },
];

export const apiPart = (): ApiPart => ({
  operations,
  parameters: {
    changesPage: inPath(
      'changesPage',
      'The name of the page, as the collection or another page gives it.',
      { type: 'string', pattern: '^page-[0-9]+\\.json$' },
      'page-0.json',
    ),
  },
  schemas: { ChangeCollection: collection, ChangePage: page, ChangeActivity: activity },
});

/** The parameters of the reading room's addresses for the API description. */
import { folderCounts } from '../routes/browse.ts';
import type { Example } from './example.ts';
import type { Parameter, Schema } from './operation.ts';

const inQuery = (name: string, description: string, schema: Schema, example?: unknown): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});

const text: Schema = { type: 'string', default: '' };
const place: Schema = { type: 'integer', minimum: 1 };

/** All of them by name, shown with the image of the examples. */
export function roomParameters({ image, part }: Pick<Example, 'image' | 'part'>): Readonly<Record<string, Parameter>> {
  const { usual, most } = folderCounts;
  return {
    roomPart: {
      name: 'part',
      in: 'path',
      required: true,
      description: 'The name of the part, as the page has it.',
      schema: { type: 'string', minLength: 1 },
      example: part,
    },
    'room.fn': inQuery('fn', 'The path of a folder, or of an image in it; empty for the whole library.', text, image),
    'room.pn': inQuery('pn', 'The page of the folder that is meant, from 1: the answer says its place as `at`.', place),
    'room.label': inQuery(
      'label',
      'What the page of the folder that is meant is called, whatever its case; it goes before `pn`.',
      text,
    ),
    'room.from': inQuery(
      'from',
      'The place of the first image and folder that are answered, from 1. Without it, the part that holds the image that is meant.',
      place,
    ),
    'room.count': inQuery('count', `How many images and folders are answered; ${most} at most.`, {
      ...place,
      default: usual,
    }),
    'room.lang': inQuery('lang', 'The languages that are read, the best one first, such as `de,en`.', text),
    'room.q': inQuery(
      'q',
      'Words that a name, a label or the metadata must hold, whatever their case and accents.',
      text,
      'page',
    ),
    'room.below': inQuery('fn', 'The path of the folder below which names are looked for.', text),
  };
}

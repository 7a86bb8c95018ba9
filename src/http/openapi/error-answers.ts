/** The errors of the API description, from the table of http/errors.ts. */
import type { ImageErrorCode } from '../../image/model/errors.ts';
import { type ErrorPictures, errorRules, pictureFor } from '../errors.ts';
import { contentIn, contentOf } from './answers.ts';
import { type Answer, type Answers, type Content, reference } from './operation.ts';

/**
 * Which errors an operation can have, and in which form: those of pictures, in digilib’s forms or as a sentence; of
 * documents; of the reading room’s documents, in JSON; of pages that not everyone finds; or none but those of all
 * addresses.
 */
export type ErrorFamily = 'digilib-picture' | 'picture' | 'document' | 'room' | 'hidden' | 'any';

const codes = Object.keys(errorRules) as ImageErrorCode[];

/** What happens before anybody looks for an image is told at `default`. */
const pictureCodes = codes.filter((code) => code !== 'address-too-long');

const ofRendering: ReadonlySet<ImageErrorCode> = new Set([
  'unsupported',
  'too-slow',
  'failed',
  'overloaded',
  'abandoned',
]);

const codesOf: Readonly<Record<ErrorFamily, readonly ImageErrorCode[]>> = {
  // The Scaler answers 403 to all who may not see an image.
  'digilib-picture': pictureCodes.filter((code) => code !== 'login-needed'),
  picture: pictureCodes,
  document: pictureCodes.filter((code) => !ofRendering.has(code)),
  room: ['bad-request', 'login-needed', 'denied', 'not-found'],
  hidden: ['not-found'],
  any: [],
};

const statusOf = (code: ImageErrorCode): number => errorRules[code].status;

/** What the answers of a family are called, where they differ from the sentences of most. */
const prefixes: Partial<Readonly<Record<ErrorFamily, string>>> = {
  'digilib-picture': 'PictureError',
  room: 'RoomError',
};

/** The answers to errors of a family by status, as references. */
export function errorAnswers(family: ErrorFamily): Answers {
  const prefix = prefixes[family] ?? 'Error';
  const statuses = [...new Set(codesOf[family].map(statusOf))];
  return {
    ...Object.fromEntries(statuses.map((status) => [status, reference('responses', `${prefix}${status}`)])),
    default: reference('responses', 'Error'),
  };
}

type Dialect = 'iiif' | 'digilib';

const noImage = 'There is no image of this name.\n';

/** Answers to a size that is no size, to a request without one, and to a name that there is not. */
const exampleSentences: Readonly<Record<Dialect, Readonly<Record<number, string>>>> = {
  iiif: { 400: '“big” is not a size; write max, w, or ,h or w,h or !w,h or pct:n.\n', 404: noImage },
  digilib: { 400: 'The result would be smaller than 2 pixels on a side; give a larger dw or dh.\n', 404: noImage },
};

const sentence = (dialect: Dialect, status: number): Readonly<Record<string, Content>> =>
  contentIn(['text/plain'], contentOf('ErrorSentence', exampleSentences[dialect][status]));

const meaningOf = (status: number): string =>
  codes
    .filter((code) => statusOf(code) === status)
    .map((code) => errorRules[code].meaning)
    .join(' Or: ');

const retry = { 'Retry-After': { description: 'When to ask again, in seconds.', schema: { type: 'integer' } } };

const roomError = (status: number): readonly [string, Answer] => [
  `RoomError${status}`,
  { description: meaningOf(status), content: contentIn(['application/json'], contentOf('RoomError')) },
];

function answersOf(status: number, pictures: ErrorPictures): readonly (readonly [string, Answer])[] {
  const description = meaningOf(status);
  const headers = status === 503 ? { headers: retry } : {};
  return [
    [`Error${status}`, { description, ...headers, content: sentence('iiif', status) }],
    ...(codesOf.room.some((code) => statusOf(code) === status) ? [roomError(status)] : []),
    [
      `PictureError${status}`,
      {
        description: `${description} As a picture; with \`mo=errtxt\` as a sentence, with \`mo=errcode\` without a body.`,
        ...headers,
        content: { [pictureFor(status, pictures).mediaType]: {}, ...sentence('digilib', status) },
      },
    ],
  ];
}

/** Every answer that the references name. */
export const sharedErrorAnswers = (pictures: ErrorPictures): Readonly<Record<string, Answer>> => ({
  ...Object.fromEntries(
    [...new Set(pictureCodes.map(statusOf))].sort((a, b) => a - b).flatMap((status) => answersOf(status, pictures)),
  ),
  Error: {
    description: `Anything else: 400 for a malformed request or too many parameters, 405 for a method that writes, ${statusOf('address-too-long')} for an address that is too long, 500 for what nobody foresaw.`,
    content: contentIn(['text/plain'], contentOf('ErrorSentence')),
  },
});

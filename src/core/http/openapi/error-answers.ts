/** The errors of the API description, from the table of http/error-responses.ts. */
import type { ImageErrorCode } from '../../image/model/errors.ts';
import { type ErrorPictures, errorRules, isPassing, pictureFor } from '../error-responses.ts';
import { type Answer, type Answers, contentIn, contentOf, type ErrorFamily, page, reference } from './operation.ts';

const codes = Object.keys(errorRules) as ImageErrorCode[];

/** The errors of finding and rendering an image; those before that are described at `default`. */
const pictureCodes = codes.filter((code) => code !== 'address-too-long');

const renderingCodes = [
  'damaged',
  'too-large',
  'put-aside',
  'unsupported',
  'too-slow',
  'store-failed',
  'store-busy',
  'store-late',
  'disk-late',
  'no-space',
  'failed',
  'overloaded',
  'abandoned',
];

const codesOf: Readonly<Record<ErrorFamily, readonly ImageErrorCode[]>> = {
  // The Scaler answers 403 to all who may not see an image.
  'digilib-picture': pictureCodes.filter((code) => code !== 'login-needed'),
  picture: pictureCodes,
  document: pictureCodes.filter((code) => !renderingCodes.includes(code)),
  readingRoom: ['bad-request', 'login-needed', 'denied', 'not-found', 'over-budget'],
  page: ['login-needed', 'denied', 'not-found'],
  hidden: ['not-found'],
  any: [],
};

const statusOf = (code: ImageErrorCode): number => errorRules[code].status;

/** The prefix of a family's response names, where its answers are not plain sentences. */
const prefixes: Partial<Readonly<Record<ErrorFamily, string>>> = {
  'digilib-picture': 'PictureError',
  readingRoom: 'ReadingRoomError',
  page: 'PageError',
};

/** References to the error answers of a family, by status. */
export function errorAnswers(family: ErrorFamily): Answers {
  const prefix = prefixes[family] ?? 'Error';
  const statuses = [...new Set(codesOf[family].map(statusOf))];
  return {
    ...Object.fromEntries(statuses.map((status) => [status, reference('responses', `${prefix}${status}`)])),
    default: reference('responses', 'Error'),
  };
}

const sentence = contentIn(['text/plain'], contentOf('ErrorSentence'));

const meaningOf = (status: number): string =>
  codes
    .filter((code) => statusOf(code) === status)
    .map((code) => errorRules[code].meaning)
    .join(' Or: ');

const retry = {
  'Retry-After': { description: 'When to send the request again, in seconds.', schema: { type: 'integer' } },
};

const readingRoomError = (status: number): readonly [string, Answer] => [
  `ReadingRoomError${status}`,
  {
    description: meaningOf(status),
    ...(isPassing(status) && { headers: retry }),
    content: contentIn(['application/json'], contentOf('ReadingRoomError')),
  },
];

const pageError = (status: number): readonly [string, Answer] => [
  `PageError${status}`,
  { description: `${meaningOf(status)} As a page that explains it.`, content: page },
];

/** Those who read JSON get refusals as such. */
const isRefusal = (status: number): boolean => status === statusOf('over-budget') || status === statusOf('overloaded');

const refusal = contentIn(['application/json'], contentOf('ReadingRoomError'));

const hasStatus = (family: ErrorFamily, status: number): boolean =>
  codesOf[family].some((code) => statusOf(code) === status);

function answersOf(status: number, pictures: ErrorPictures): readonly (readonly [string, Answer])[] {
  const description = meaningOf(status);
  const headers = isPassing(status) ? { headers: retry } : {};
  return [
    [
      `Error${status}`,
      { description, ...headers, content: isRefusal(status) ? { ...sentence, ...refusal } : sentence },
    ],
    ...(hasStatus('readingRoom', status) ? [readingRoomError(status)] : []),
    ...(hasStatus('page', status) ? [pageError(status)] : []),
    [
      `PictureError${status}`,
      {
        description: `${description} As a picture; with \`mo=errtxt\` as a sentence, with \`mo=errcode\` without a body.`,
        ...headers,
        content: { [pictureFor(status, pictures).mediaType]: {}, ...sentence },
      },
    ],
  ];
}

/** All error answers that operations refer to, by name. */
export const sharedErrorAnswers = (pictures: ErrorPictures): Readonly<Record<string, Answer>> => ({
  ...Object.fromEntries(
    [...new Set(pictureCodes.map(statusOf))].sort((a, b) => a - b).flatMap((status) => answersOf(status, pictures)),
  ),
  Error: {
    description: `Anything else: 400 for a malformed request or too many parameters, 405 for a method that writes, ${statusOf('address-too-long')} for an address that is too long, 500 for an unexpected error.`,
    content: sentence,
  },
});

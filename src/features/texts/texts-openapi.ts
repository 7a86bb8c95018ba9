/** The words of pages in the API description. */
import {
  type ApiPart,
  contentIn,
  contentOf,
  inQuery,
  jsonContent,
  taggedAnswers,
} from '../../core/http/openapi/operation.ts';
import { schemasOf } from '../../core/http/openapi/schemas-of.ts';
import { textFormats } from '../../core/image/model/text-formats.ts';
import { textAnswer } from '../../core/image/page-text/text-answer.ts';
import { enumerate } from '../../core/parsing/nearest.ts';
import { textPath } from './text-routes.ts';

/** The names of all formats, or of those that have an extension. */
const formats = (extension?: 'xml' | 'html'): string =>
  enumerate(
    Object.values(textFormats)
      .filter((format) => extension === undefined || format.extension === extension)
      .map(({ name }) => name),
    'or',
  );

const operations = [
  {
    id: 'pageText',
    paths: [`${textPath}/{path}.json`],
    summary: 'The words of a page, with the places where they stand',
    description: `They come from a file beside the scan: ${formats()}. Boxes are in pixels of the upright image. Answers 404 for an image without a text. Where a page has several texts, \`texts\` names them.`,
    parameters: ['path', 'texts.text', 'id_token'],
    answers: taggedAnswers('The words, in reading order.', jsonContent('TextAnswer')),
    errors: 'readingRoom',
  },
  {
    id: 'plainPageText',
    paths: [`${textPath}/{path}.txt`],
    summary: 'The words of a page as plain text',
    parameters: ['path', 'texts.text', 'id_token'],
    answers: taggedAnswers('The lines as they are printed.', contentIn(['text/plain'], contentOf())),
    errors: 'readingRoom',
  },
  {
    id: 'pageTextXml',
    paths: [`${textPath}/{path}.xml`],
    summary: `The ${formats('xml')} file of a page, as it is`,
    parameters: ['path', 'texts.text', 'id_token'],
    answers: taggedAnswers('The file.', contentIn(['application/xml'], contentOf())),
    errors: 'readingRoom',
  },
  {
    id: 'pageTextHtml',
    paths: [`${textPath}/{path}.html`],
    summary: `The ${formats('html')} of a page, as it is`,
    parameters: ['path', 'texts.text', 'id_token'],
    answers: taggedAnswers('The file, or the page’s part of it.', contentIn(['text/html'], contentOf())),
    errors: 'readingRoom',
  },
] as const;

export const apiPart = (): ApiPart => ({
  operations: operations.map((operation) => ({ ...operation, tag: 'reading room' })),
  parameters: {
    'texts.text': inQuery(
      'text',
      'The key of another text of the page than the first; the answer’s `texts` have them.',
      {
        type: 'string',
        default: '',
      },
    ),
  },
  schemas: schemasOf({ TextAnswer: textAnswer }),
});

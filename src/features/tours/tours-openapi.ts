/** Guided views in the API description. */
import { type ApiPart, contentIn, inPath, taggedAnswers } from '../../core/http/openapi/operation.ts';
import { toursPath } from './tour-routes.ts';

export const apiPart = (): ApiPart => ({
  operations: [
    {
      id: 'tour',
      tag: 'reading room',
      paths: [`${toursPath}/{tour}`],
      summary: 'Guided views beside scans: a chain of views with texts',
      description:
        'The steps that the caller may see. With `.annotations.json` or `.collection.json` at its end, as a page or a collection of annotations for other viewers.',
      parameters: ['tour.file', 'id_token'],
      answers: taggedAnswers('The guided views.', contentIn(['application/json'])),
      errors: 'document',
    },
  ],
  parameters: {
    'tour.file': inPath(
      'tour',
      'The path of the file inside the library, which ends with `.tour.json`.',
      { type: 'string' },
      'books/book1/short.tour.json',
    ),
  },
});

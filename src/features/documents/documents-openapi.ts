/** Folders to take along in the API description: PDF documents, archives, texts, and digilib's PDFCache. */
import {
  type ApiPart,
  contentIn,
  contentOf,
  type Example,
  inQuery,
  type Operation,
  type Parameter,
  page,
  reference,
  type Schema,
} from '../../core/http/openapi/operation.ts';
import { pdfProgressPath } from './document-routes.ts';
import { pdfCachePaths } from './pdf-cache-routes.ts';

const text: Schema = { type: 'string', default: '' };

/** The parameters by name; the example is one page of a folder. */
const documentParameters = (folder: string): Readonly<Record<string, Parameter>> => ({
  'document.fn': inQuery('fn', 'The path of the folder; empty for the whole library.', text, folder),
  'document.pages': inQuery(
    'pages',
    'Numbers such as `1-5,9,12-`, in this order; they count the image files of the folder from 1, as `pn` does. Or labels of pages such as `3r-7v`. All pages in the order of the manifest without it.',
    text,
    '1',
  ),
  'document.at': inQuery(
    'at',
    'In place of `pages`: numbers of pages in the order of the manifest, from 1, as the reading room counts them, or labels such as `3r-7v`.',
    text,
  ),
  'document.size': inQuery('size', 'The largest width and height of each picture, in pixels; as stored without it.', {
    type: 'integer',
    minimum: 1,
  }),
  'document.dpi': inQuery('dpi', 'The largest resolution of each picture, in pixels an inch, in place of `size`.', {
    type: 'integer',
    minimum: 1,
  }),
  'document.lang': inQuery('lang', 'The reader’s languages, in place of those of the browser, such as `de,en`.', text),
  'document.make': inQuery(
    'make',
    '`1` begins the document where nobody has; it is made as long as somebody asks again within 10 s.',
    { enum: ['1'] },
  ),
  docid: inQuery('docid', 'The id of a document, from the redirect that answers the form.', text),
});

const parameters = ['document.pages', 'document.at', 'document.size', 'document.dpi', 'document.lang', 'id_token'];

const saved = (description: string, mediaType: string) => ({ description, content: contentIn([mediaType]) });

const progress = contentIn(['application/json'], {
  schema: {
    type: 'object',
    properties: {
      state: { enum: ['none', 'making', 'done', 'failed'] },
      pages: { type: 'integer', description: 'How many pages are made.' },
      of: { type: 'integer', description: 'How many pages it will have, without the cover.' },
      bytes: { type: 'integer', description: 'How long it is until now.' },
      message: { type: 'string', description: 'Why it could not be made, where it has failed in the last minute.' },
    },
    required: ['state', 'pages', 'of', 'bytes'],
    additionalProperties: false,
  },
});

const folders: readonly Omit<Operation, 'tag'>[] = [
  {
    id: 'pdf',
    paths: ['/pdf/{folder}.pdf'],
    summary: 'A folder as a PDF document',
    description:
      'A cover, then a page for each image that the caller may see, with page labels, chapters and searchable text. JPEG files are in it as they are, unless a smaller size is asked for. It is made once, sent while it is made, and kept; one that is kept has a length, an `ETag` and ranges.',
    parameters: ['folder', ...parameters],
    answers: {
      200: saved('The document.', 'application/pdf'),
      206: saved('The range that the header `Range` names.', 'application/pdf'),
      304: reference('responses', 'NotModified'),
      416: { description: 'The document has no such range; `Content-Range` gives its length in bytes.' },
    },
    errors: 'document',
  },
  {
    id: 'pdfProgress',
    paths: [pdfProgressPath],
    summary: 'How far the PDF document is that is asked for by the same parameters',
    description: 'It begins no document without `make`.',
    parameters: ['document.fn', ...parameters, 'document.make'],
    answers: { 200: { description: 'The state.', content: progress } },
    errors: 'readingRoom',
  },
  {
    id: 'zip',
    paths: ['/zip/{folder}.zip'],
    summary: 'The pictures of a folder as a ZIP archive of JPEG files',
    description: 'Pages whose pictures can’t be made are named in `missing.txt` at its end.',
    parameters: ['folder', ...parameters],
    answers: { 200: saved('The archive, written while it is sent.', 'application/zip') },
    errors: 'document',
  },
  {
    id: 'txt',
    paths: ['/txt/{folder}.txt'],
    summary: 'The texts of the pages of a folder, each below the label of its page',
    description: '404 where none of the pages has a text.',
    parameters: ['folder', 'document.pages', 'document.at', 'document.lang', 'id_token'],
    answers: { 200: { description: 'The text.', content: contentIn(['text/plain'], contentOf()) } },
    errors: 'document',
  },
];

const dataSet: Omit<Operation, 'tag'> = {
  id: 'dataSet',
  paths: ['/dataset/{folder}.zip'],
  summary: 'A folder as a ZIP file with its manifest, metadata, texts, and a picture of each page',
  description:
    'As the caller may see it. `pages.json` in it says which files belong to each page, and which addresses answer the same. It is made once and kept; 503 with `Retry-After` while it is being made.',
  parameters: ['folder', 'id_token'],
  answers: {
    200: saved('The data set.', 'application/zip'),
    206: saved('The range that the header `Range` names.', 'application/zip'),
    304: reference('responses', 'NotModified'),
    416: { description: 'The data set has no such range; `Content-Range` gives its length in bytes.' },
  },
  errors: 'document',
};

const states = contentIn(['application/json'], {
  schema: {
    type: 'object',
    properties: {
      docid: { type: 'string' },
      status: { enum: ['DONE', 'WIP', 'NONEXISTENT', 'ERROR', 'IOERROR'] },
      message: { type: 'string' },
    },
    required: ['docid', 'status', 'message'],
    additionalProperties: false,
  },
});

const pdfCache: Omit<Operation, 'tag'> = {
  id: 'PDFCache',
  paths: pdfCachePaths,
  summary: 'A PDF document of digilib, by the id that its form gave',
  description:
    'A form that is sent here by POST (`fn`, `pgs`, `dw`, `dh`, `header-title`, `header-subtitle`, `title`, `author`, `date`, `reference`, `online-url`) begins a document, and is answered 302 with the address of its `docid`, or with the document. With exactly `Accept: application/json`, answers are JSON.',
  parameters: ['docid', 'id_token'],
  answers: {
    200: { description: 'The document.', content: { ...contentIn(['application/pdf']), ...states } },
    202: { description: 'It is being made; the page loads itself again.', content: { ...page, ...states } },
    400: { description: 'It could not be made, or the id is none.', content: { ...page, ...states } },
    404: { description: 'It is not being made, or could not be written.', content: { ...page, ...states } },
  },
  errors: 'any',
};

export const apiPart = ({ folder }: Example, hasDataSets: boolean): ApiPart => ({
  operations: [
    ...folders.map((operation) => ({ ...operation, tag: 'reading room' as const })),
    ...(hasDataSets ? [{ ...dataSet, tag: 'IIIF Presentation' as const }] : []),
    { ...pdfCache, tag: 'digilib' },
  ],
  parameters: documentParameters(folder),
});

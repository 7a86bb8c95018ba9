/** Sound and video in the API description. */
import { type ApiPart, contentIn, inPath, reference } from '../../core/http/openapi/operation.ts';
import { mediaPath } from './media-files.ts';

const types = ['audio/*', 'video/*', 'text/vtt', 'text/plain'];

export const apiPart = (): ApiPart => ({
  operations: [
    {
      id: 'media',
      tag: 'reading room',
      paths: [`${mediaPath}/{file}`],
      summary: 'A file of sound or video, or a text beside it, as it is',
      description:
        'Nothing is converted. Manifests of version 3 have its address. Answers ranges, also on the condition of `If-Range`, and 404 for all other files.',
      parameters: ['media.file', 'id_token'],
      answers: {
        200: { description: 'The file.', headers: { ETag: reference('headers', 'ETag') }, content: contentIn(types) },
        206: { description: 'The range that the header `Range` names.', content: contentIn(types) },
        304: reference('responses', 'NotModified'),
        416: { description: 'The file has no such range; `Content-Range` gives its length in bytes.' },
      },
      errors: 'document',
    },
  ],
  parameters: {
    'media.file': inPath(
      'file',
      'The path of the file inside the library, with its extension: mp3, m4a, ogg, flac, wav, mp4, webm, vtt, srt, txt.',
      { type: 'string' },
      'talks/talk.mp3',
    ),
  },
});

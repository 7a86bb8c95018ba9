/** The address that has proxies and CDNs forget, in the API description. */
import { type ApiPart, contentIn, reference } from '../../core/http/openapi/operation.ts';
import { purgePath } from './purge-route.ts';

const names = { type: 'array', items: { type: 'string' } };

const json = (schema: object) => contentIn(['application/json'], { schema: { type: 'object', ...schema } });

const refused = {
  description: 'An error.',
  content: contentIn(['application/json'], { schema: reference('schemas', 'ReadingRoomError') }),
};

export const purgeApi = (): ApiPart => ({
  operations: [],
  posts: {
    [purgePath]: {
      operationId: 'purge',
      tags: ['server'],
      summary: 'Have proxies and CDNs forget images and folders',
      description:
        'For the role `admin`; without rules of access, for requests from the machine itself. It is done behind the answer, and tried again where it fails.',
      requestBody: {
        required: true,
        content: json({
          required: ['paths'],
          properties: {
            paths: { ...names, minItems: 1, maxItems: 1000, description: 'Images and folders; `/` is everything.' },
          },
          additionalProperties: false,
        }),
      },
      responses: {
        202: {
          description: 'The proxies and CDNs that are told.',
          content: json({ required: ['targets'], properties: { targets: names } }),
        },
        400: refused,
        403: refused,
      },
    },
  },
});

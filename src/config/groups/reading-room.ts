/** Settings of the reading room. */
import { z } from 'zod';
import { path } from './path.ts';

/** A source of `frame-ancestors` (Content Security Policy 3, section 6.4.2): nothing in it can end the list or the directive. */
const isAncestor = (source: string): boolean =>
  source === '*' ||
  source === "'self'" ||
  /^[a-z][a-z0-9+.-]*:$/i.test(source) ||
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::(?:[0-9]+|\*))?\/?$/i.test(source);

export const readingRoomSettings = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'must be a name')
    .max(200, 'must have at most 200 characters')
    .optional()
    .describe(
      'the name of the library: in the header, in titles, and in what search engines and previews show; by default the label of the first base directory’s metadata file',
    ),
  embedAncestors: z
    .array(z.string().refine(isAncestor, 'must be a source such as https://library.example, *.library.example or *'))
    .default(['*'])
    .describe(
      'sites whose pages may show the viewer at /embed/ inside of themselves, as sources of a Content-Security-Policy; * for all, an empty list for none',
    ),
  units: path.optional().describe('a JSON file of units of length that the reading room offers before its own'),
});

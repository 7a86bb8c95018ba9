/** Settings of the access log. */
import { z } from 'zod';
import { path } from './path-setting.ts';

export const accessLogSettings = z.strictObject({
  file: path
    .optional()
    .describe(
      'the file that it is written to; SIGHUP opens it anew, so that it can be rotated. By default there is none',
    ),
  stdout: z.boolean().default(false).describe('write it to the standard output, where no file is named'),
  format: z
    .enum(['json', 'combined'])
    .default('json')
    .describe('json: an object a line, with times, kind and request id; combined: the format of Apache and nginx'),
});

/** Settings of what the server tells robots: wishes, which those keep who are polite. */
import { z } from 'zod';
import { path } from './path-setting.ts';

/** A line of `robots.txt`: without control characters, so that it stays one line. */
const line = z
  .string()
  .max(500, 'must have at most 500 characters')
  .regex(/^\P{Cc}*$/u, 'must be one line');

export const robotsSettings = z
  .strictObject({
    allow: z
      .enum(['all', 'none', 'all-but-training', 'own-lines'])
      .default('all')
      .describe(
        'who may visit the pages, as robots.txt says it: all robots, none, all but those that gather what models are trained with, or what lines says. Deep zoom, views with parameters, comparisons, searches and light tables are disallowed in any case but the last',
      ),
    lines: z.array(line).max(1000).optional().describe('the lines of robots.txt, with own-lines; the sitemap is added'),
    trainingRobots: path
      .optional()
      .describe(
        'a file with the names of robots that gather what models are trained with, in the form of assets/training-robots.txt, which is used by default',
      ),
    tag: z
      .string()
      .regex(/^[\x20-\x7e]{1,300}$/, 'must be one line of ASCII, such as noai, noimageai')
      .optional()
      .describe(
        'the value of X-Robots-Tag on all answers, such as noai, noimageai; noindex keeps everything out of search engines. None by default',
      ),
    llms: z
      .boolean()
      .default(true)
      .describe('whether llms.txt tells programs that read for models where lists and data sets are'),
  })
  .refine(({ allow, lines }) => (allow === 'own-lines') === (lines !== undefined), {
    error: 'needs lines with own-lines, and with nothing else',
    path: ['lines'],
  });

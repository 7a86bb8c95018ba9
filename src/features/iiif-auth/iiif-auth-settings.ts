/** Settings of IIIF Authorization Flow 2.0 and Authentication 1.0: which viewers get tokens. */
import { z } from 'zod';
import type { SettingsWith } from '../../core/feature.ts';

export const iiifAuthSettings = {
  iiifAuth: z
    .strictObject({
      viewers: z
        .enum(['asked', 'allowed'])
        .default('asked')
        .describe(
          'which pages of other sites may read what a person who signed in may see: `asked`, those that the person agrees to; `allowed`, those of `access.allowedOrigins` alone',
        ),
      tokenMinutes: z
        .number()
        .positive()
        .max(1440)
        .default(30)
        .describe('minutes after which viewers need a new token; tokens end with their session too'),
      kiosk: z
        .boolean()
        .default(false)
        .describe(
          'whether viewers first try a window that closes by itself, for devices that the house has set up; browsers of others block it',
        ),
    })
    .prefault({})
    .describe('how IIIF viewers of other sites show what people see who signed in; without `signIn` it has no effect'),
};

export type IiifAuthSettings = SettingsWith<typeof iiifAuthSettings>;

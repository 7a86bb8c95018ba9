/** Settings of the shield: who is no stranger, and how much of the render queue all strangers together get beside readers. */
import { z } from 'zod';
import { isAddressRange } from '../../config/groups/access-settings.ts';
import type { SettingsWith } from '../../core/feature.ts';

const addresses = z.array(
  z.string().refine(isAddressRange, {
    error: ({ input }) => `${JSON.stringify(input)} must be an address or a range such as 10.0.0.0/8`,
  }),
);

const partner = z.strictObject({
  name: z.string().trim().min(1).max(60).describe('its name in metrics and logs'),
  addresses: addresses.min(1).describe('its addresses and ranges'),
});

const hostName = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/;

const searchEngine = z.strictObject({
  agent: z.string().min(3).max(60).describe('a part of its User-Agent'),
  domains: z
    .array(z.string().regex(hostName, 'must be a domain such as googlebot.com'))
    .min(1)
    .describe('the domains in which the names of its addresses are'),
});

/** What these say of themselves in their help for webmasters. */
const knownEngines: z.infer<typeof searchEngine>[] = [
  { agent: 'Googlebot', domains: ['googlebot.com', 'google.com'] },
  { agent: 'bingbot', domains: ['search.msn.com'] },
  { agent: 'Applebot', domains: ['applebot.apple.com'] },
  { agent: 'YandexBot', domains: ['yandex.ru', 'yandex.net', 'yandex.com'] },
];

export const shieldSettings = {
  shield: z
    .strictObject({
      strangersWeight: z
        .number()
        .positive()
        .max(1)
        .default(0.25)
        .describe(
          'how much all strangers together get of the render queue beside each reader: 1 as much as one reader',
        ),
      partners: z
        .array(partner)
        .default([])
        .describe(
          'those whose programs are never strangers; readers who have signed in or sent a token are none either',
        ),
      searchEngines: z
        .array(searchEngine)
        .default(knownEngines)
        .describe('search engines that are no strangers where their addresses are theirs by the names in DNS and back'),
    })
    .prefault({})
    .describe('how crawlers and readers share the render queue'),
};

export type ShieldSettings = SettingsWith<typeof shieldSettings>;
export type Shield = ShieldSettings['shield'];

/** Settings of the shield: who is no stranger, how much of the render queue all strangers get, and the budgets of what else costs. */
import { z } from 'zod';
import { isAddressRange } from '../../config/groups/access-settings.ts';
import { path } from '../../config/groups/path-setting.ts';
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

const times = (most: number) => z.number().min(1).max(most);

const budgets = z
  .strictObject({
    processorSeconds: z
      .number()
      .positive()
      .default(600)
      .describe(
        'seconds of processor time that one caller can ask for at once: PDF documents, archives and data sets that have to be made, searches, pyramids',
      ),
    originalBytes: z
      .int()
      .min(1)
      .default(20 * 2 ** 30)
      .describe('bytes of original files that one caller can ask for at once'),
    refillMinutes: z.number().positive().max(1440).default(60).describe('in so many minutes a budget is full again'),
    networkTimes: times(1000)
      .default(4)
      .describe('how many times as much as one caller a network has (/24 of IPv4, /48 of IPv6)'),
    systemTimes: times(10_000)
      .default(16)
      .describe('the same for an autonomous system, where shield.systemsFile is given'),
    strangersTimes: times(100_000).default(32).describe('the same for the originals of all strangers together'),
    strangersShare: z
      .number()
      .positive()
      .max(1)
      .default(0.5)
      .describe(
        'the part of the machine’s processor time that all strangers together get for it while nobody else needs it; less while readers do',
      ),
  })
  .prefault({})
  .describe('budgets of what costs and does not go through the render queue; callers who are known have none');

const isContact = (text: string): boolean =>
  /^(?:mailto:|https?:\/\/)\S+$/.test(text) || /^[^\s@]+@[^\s@]+$/.test(text);

export const shieldSettings = {
  shield: z
    .strictObject({
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
      budgets,
      systemsFile: path
        .optional()
        .describe(
          'a file of MaxMind DB with the autonomous systems of addresses, such as GeoLite2-ASN.mmdb; it is read when the server starts and when settings are read again',
        ),
      contact: z
        .string()
        .max(200)
        .refine(isContact, 'must be an address of mail or of a page, such as images@library.example')
        .optional()
        .describe('whom those can ask who are refused: an address of mail or of a page'),
    })
    .prefault({})
    .describe('how crawlers and readers share the render queue'),
};

export type ShieldSettings = SettingsWith<typeof shieldSettings>;
export type Shield = ShieldSettings['shield'];

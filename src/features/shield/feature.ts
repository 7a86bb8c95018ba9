/** The shield: crawlers share the render queue with each other, and not with every reader. */
import type { Feature } from '../../core/feature.ts';
import { trustProxies } from '../../core/http/origin.ts';
import { ReadingPatterns } from './reading-patterns.ts';
import { SearchEngines } from './search-engines.ts';
import { createShares, type Standing } from './shares.ts';
import { type ShieldSettings, shieldSettings } from './shield-settings.ts';

export const feature: Feature<ShieldSettings> = {
  name: 'shield',
  settings: shieldSettings,
  open({ settings: { shield, http } }) {
    const counts: Record<Standing, number> = { known: 0, reader: 0, stranger: 0 };
    const shares = createShares({
      shield,
      trusted: trustProxies(http.trustedProxies),
      patterns: new ReadingPatterns(),
      engines: new SearchEngines(shield.searchEngines),
      count: (standing) => void counts[standing]++,
    });
    return {
      shares,
      metricRows: [
        {
          name: 'pictures_made_for_total',
          help: 'Requests whose pictures were not there yet: of known callers, of readers by what they ask, and of strangers.',
          labels: ['standing'],
          read: () => Object.entries(counts).map(([standing, count]) => [count, { standing }] as const),
        },
      ],
      add: () => ({}),
    };
  },
};

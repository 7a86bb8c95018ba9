/** The shield: crawlers share the render queue with each other, and not with every reader. */
import type { IncomingMessage } from 'node:http';
import type { Core, Feature } from '../../core/feature.ts';
import { trustProxies } from '../../core/http/origin.ts';
import type { ShieldPort, Standing } from '../../core/ports.ts';
import { createCallersOfShield } from './asking.ts';
import { Holds } from './holds.ts';
import { ReadingPatterns } from './reading-patterns.ts';
import { SearchEngines } from './search-engines.ts';
import { createShares } from './shares.ts';
import { type ShieldSettings, shieldSettings } from './shield-settings.ts';

export const feature: Feature<ShieldSettings> = {
  name: 'shield',
  settings: shieldSettings,
  open({ settings: { shield, http } }) {
    const counts: Record<Standing, number> = { known: 0, reader: 0, stranger: 0 };
    const patterns = new ReadingPatterns();
    const holds = new Holds();
    const engines = new SearchEngines(shield.searchEngines);
    const callers = createCallersOfShield({ shield, trusted: trustProxies(http.trustedProxies), patterns, engines });
    const portFor = ({ callers: { known } }: Pick<Core, 'callers'>): ShieldPort => ({
      callerOf(request: IncomingMessage) {
        const { network, standing } = callers.of(request, known(request)?.authenticated === true);
        return { network, standing };
      },
      holds,
      budgets: () => [],
    });
    return {
      shares: createShares({ shield, callers, patterns, holds, count: (standing) => void counts[standing]++ }),
      metricRows: [
        {
          name: 'pictures_made_for_total',
          help: 'Requests whose pictures were not there yet: of known callers, of readers by what they ask, and of strangers.',
          labels: ['standing'],
          read: () => Object.entries(counts).map(([standing, count]) => [count, { standing }] as const),
        },
      ],
      add: (core) => ({ ports: { shield: portFor(core) } }),
    };
  },
};

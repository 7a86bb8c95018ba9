/** The shield: crawlers share the render queue with each other, and not with every reader; what else costs has budgets. */
import type { IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import type { Core, Feature } from '../../core/feature.ts';
import { createFaultLog } from '../../core/http/failure-log.ts';
import { trustProxies } from '../../core/http/origin.ts';
import type { MetricRow } from '../../core/http/request-metrics.ts';
import type { ShieldPort, Standing } from '../../core/ports.ts';
import { type CallersOfShield, createCallersOfShield } from './asking.ts';
import { Budgets } from './budgets.ts';
import { Holds } from './holds.ts';
import { OthersNeed } from './others-need.ts';
import { createPayments } from './payments.ts';
import { ReadingPatterns } from './reading-patterns.ts';
import { SearchEngines } from './search-engines.ts';
import { SharedShield } from './shared-shield.ts';
import { createShares } from './shares.ts';
import { type ShieldSettings, shieldSettings } from './shield-settings.ts';
import { openSystems, type Systems } from './systems.ts';

type Counts = Record<Standing, number>;

const metricRowsOf = (counts: Counts, budgets: Budgets, holds: Holds): readonly MetricRow[] => [
  {
    name: 'pictures_made_for_total',
    help: 'Requests whose pictures were not there yet: of known callers, of readers by what they ask, and of strangers.',
    labels: ['standing'],
    read: () => Object.entries(counts).map(([standing, count]) => [count, { standing }] as const),
  },
  {
    name: 'budget_left_ratio',
    help: 'What is left of each budget of what costs, from 0 to 1; of one for each caller or network, of the one with the least.',
    labels: ['budget'],
    read: () => budgets.state().map(({ name, left, size }) => [left / size, { budget: name }] as const),
  },
  {
    name: 'budget_refusals_total',
    help: 'Requests that a budget refused since the start.',
    labels: ['budget'],
    read: () => budgets.state().map(({ name, refused }) => [refused, { budget: name }] as const),
  },
  {
    name: 'held_networks',
    help: 'Networks that are held now.',
    read: () => [[holds.list().length]],
  },
];

interface PortParts {
  readonly callers: CallersOfShield;
  readonly holds: Holds;
  readonly budgets: Budgets;
}

function portFor({ callers: { known }, allPorts, settings }: Core<ShieldSettings>, parts: PortParts): ShieldPort {
  const { callers, holds, budgets } = parts;
  const askingOf = (request: IncomingMessage) => callers.of(request, known(request)?.authenticated === true);
  const { contact } = settings.shield;
  return {
    callerOf(request) {
      const { network, system, standing } = askingOf(request);
      return { network, standing, ...(system !== undefined && { system }) };
    },
    holds,
    budgets: () => budgets.state(),
    adviceFor(request, base, folder) {
      if (askingOf(request).standing === 'known') return undefined;
      const { dataSetAddress, changesPath } = allPorts();
      return {
        ...(folder !== undefined && dataSetAddress && { dataSet: dataSetAddress(base, folder) }),
        ...(changesPath !== undefined && { changes: `${base}${changesPath}` }),
        ...(contact !== undefined && { contact }),
      };
    },
  };
}

export const feature: Feature<ShieldSettings> = {
  name: 'shield',
  settings: shieldSettings,
  open({ settings: { shield, http, redis, iiif }, logger }) {
    const counts: Counts = { known: 0, reader: 0, stranger: 0 };
    const patterns = new ReadingPatterns(iiif.slash);
    const holds = new Holds();
    const engines = new SearchEngines(shield.searchEngines);
    const cores = availableParallelism();
    const need = new OthersNeed(cores);
    const budgets = new Budgets({ rules: shield.budgets, cores, busy: () => need.share() });
    let systems: Systems | undefined;
    const trusted = trustProxies(http.trustedProxies);
    const callers = createCallersOfShield({ shield, trusted, patterns, engines, systems: () => systems });
    const faults = createFaultLog(logger);
    const shared = redis && new SharedShield({ redis, holds, onFault: faults.report });
    if (shared !== undefined) holds.tell = (network, untilMs) => shared.tell(network, untilMs);
    const payments = createPayments({ budgets, holds, takeShared: shared && ((charges) => shared.take(charges)) });
    return {
      shares: createShares({
        ...{ callers, patterns, payments },
        count: (standing) => void counts[standing]++,
        noteNeed: (ms) => need.note(ms),
      }),
      metricRows: metricRowsOf(counts, budgets, holds),
      start: () => void shared?.start(),
      async close() {
        shared?.close();
        faults.close();
      },
      async add(core) {
        const { systemsFile } = core.settings.shield;
        systems = systemsFile === undefined ? undefined : await openSystems(systemsFile);
        return { ports: { shield: portFor(core, { callers, holds, budgets }) } };
      },
    };
  },
};

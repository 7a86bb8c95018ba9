/** What the person on duty needs when the server is busy: who costs what, and a way to hold a network. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type Feature, routeGroup } from '../../core/feature.ts';
import {
  clientAddressOf,
  clientKeyAt,
  ownersNetworkOf,
  type TrustedProxies,
  trustProxies,
} from '../../core/http/origin.ts';
import type { ShieldPort, Standing } from '../../core/ports.ts';
import { createBudgetWatch } from './budget-watch.ts';
import { type Caller, createCosts } from './costs.ts';
import { dutyMetrics } from './duty-metrics.ts';
import { reportOf } from './report.ts';

/** Addresses of which it is known whose they are; each takes some 300 bytes. */
const maxKnown = 5000;

/** The budgets are looked at in this interval, in ms. */
const watchMs = 5000;

/**
 * To whom a request is counted: the same object for one address, and for one connection but for those of proxies. The shield is asked
 * for the system of an address once.
 */
function createCallers(trusted: TrustedProxies, shield: ShieldPort | undefined): (request: IncomingMessage) => Caller {
  const known = new LRUCache<string, Caller>({ max: maxKnown });
  const ofConnection = new WeakMap<Socket, Caller>();

  function callerOf(request: IncomingMessage): Caller {
    const address = clientAddressOf(request, trusted);
    let caller = known.get(address);
    if (caller === undefined) {
      const network = ownersNetworkOf(clientKeyAt(address));
      caller = { network, system: shield?.callerOf(request).system ?? '' };
      known.set(address, caller);
    }
    return caller;
  }

  return (request) => {
    const { socket } = request;
    if (trusted(socket.remoteAddress)) return callerOf(request);
    let caller = ofConnection.get(socket);
    if (caller === undefined) {
      caller = callerOf(request);
      ofConnection.set(socket, caller);
    }
    return caller;
  };
}

export const feature: Feature = {
  name: 'duty',
  open({ settings: { http }, resources, logger }) {
    let shield: ShieldPort | undefined;
    let callerOf = createCallers(trustProxies(http.trustedProxies), undefined);
    const refusedBy: Record<Standing, number> = { known: 0, reader: 0, stranger: 0 };
    const countRefusal = (request: IncomingMessage): void =>
      void refusedBy[shield?.callerOf(request).standing ?? 'stranger']++;
    const costs = createCosts((request) => callerOf(request), countRefusal);
    const watch = createBudgetWatch({
      budgets: () => shield?.budgets() ?? [],
      mostCostly: () => costs.over(60).sum.networks.top(1)[0]?.[0],
      logger,
    });
    let timer: NodeJS.Timeout | undefined;
    return {
      onEnd: (ended) => costs.record(ended),
      metricRows: dutyMetrics(refusedBy, () => shield),
      async add({ callers, contextPath, trusted, ports }) {
        shield = ports.shield;
        callerOf = createCallers(trusted, shield);
        const { dutyRoutes } = await import('./duty-routes.ts');
        const report = (over: Parameters<typeof reportOf>[0], by: Parameters<typeof reportOf>[1]) =>
          reportOf(over, by, { costs, resources, shield: ports.shield });
        const parts = { callers, contextPath, report, holds: ports.shield?.holds, logger };
        return {
          routes: [routeGroup('server', dutyRoutes, parts)],
          describe: async () => (await import('./duty-openapi.ts')).apiPart(ports.shield !== undefined),
        };
      },
      start() {
        timer = setInterval(watch, watchMs).unref();
      },
      close: async () => clearInterval(timer),
    };
  },
};

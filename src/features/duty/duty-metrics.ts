/** The metrics of refusals and of budgets that bind; what is left of budgets, and what they refused, the shield tells. */
import type { MetricRow } from '../../core/http/request-metrics.ts';
import type { ShieldPort, Standing } from '../../core/ports.ts';

/** Requests that were refused, by who asked. */
export type RefusedBy = Readonly<Record<Standing, number>>;

export const dutyMetrics = (
  refusedBy: RefusedBy,
  shield: () => Pick<ShieldPort, 'budgets'> | undefined,
): readonly MetricRow[] => [
  {
    name: 'refused_requests_total',
    help: 'Requests that were refused (429, or 503 since there was too much to do), of known callers, of readers by what they ask, and of strangers.',
    labels: ['standing'],
    read: () => Object.entries(refusedBy).map(([standing, count]) => [count, { standing }] as const),
  },
  {
    name: 'budget_binds',
    help: '1 while a budget refuses.',
    labels: ['budget'],
    read: () => (shield()?.budgets() ?? []).map(({ name, binds }) => [binds ? 1 : 0, { budget: name }] as const),
  },
];

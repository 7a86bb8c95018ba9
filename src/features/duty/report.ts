/** What the page, its JSON and the command show: costs over a window, and queues, budgets and holds as they are now. */
import type { Resources } from '../../core/feature.ts';
import type { BudgetState, ShieldPort } from '../../core/ports.ts';
import type { ScheduleLoad } from '../../core/render/schedule/scheduler.ts';
import type { Costs } from './costs.ts';
import type { Measure, Tallies, Tally } from './tallies.ts';
import type { WindowSeconds } from './windows.ts';

/** What the requests of one name took. */
export interface CostRow {
  readonly name: string;
  readonly requests: number;
  /** Time of this machine, in ms. */
  readonly ms: number;
  /** The part of all time, from 0 to 1. */
  readonly share: number;
  readonly bytes: number;
  readonly refused: number;
  readonly longestMs: number;
  /** Of a network: the program of its latest request. */
  readonly agent?: string;
}

/** A network that is held. */
export interface HeldRow {
  readonly network: string;
  /** ISO 8601. */
  readonly until: string;
}

export interface DutyReport {
  /** ISO 8601. */
  readonly at: string;
  /** The window that was asked for, in seconds, and what it is of. */
  readonly over: WindowSeconds;
  readonly seconds: number;
  /** What the rows of networks, systems, programs and kinds are sorted by. */
  readonly by: Measure;
  readonly total: CostRow;
  readonly networks: readonly CostRow[];
  /** Empty where the site gives no table of them. */
  readonly systems: readonly CostRow[];
  readonly agents: readonly CostRow[];
  readonly kinds: readonly CostRow[];
  readonly refusals: readonly CostRow[];
  readonly files: readonly CostRow[];
  readonly renderings: ScheduleLoad;
  readonly pyramids: { readonly waiting: number; readonly building: number; readonly failed: number };
  /** Undefined where the shield is left out. */
  readonly budgets?: readonly BudgetState[];
  readonly holds?: readonly HeldRow[];
}

/** Rows of each table. */
const shown = 20;

const rounded = (value: number): number => Math.round(value * 10) / 10;

function rowOf(name: string, tally: Tally, totalMs: number): CostRow {
  const { requests, ms, bytes, refused, longestMs, note } = tally;
  const share = totalMs === 0 ? 0 : Math.round((ms / totalMs) * 1000) / 1000;
  const facts = { name, requests, ms: rounded(ms), share, bytes, refused, longestMs: rounded(longestMs) };
  return note === '' ? facts : { ...facts, agent: note };
}

/** Whether something was taken from a budget lately, or it has ever refused. */
export const isUsed = ({ left, size, refused, binds }: BudgetState): boolean => left < size || refused > 0 || binds;

interface ReportParts {
  readonly costs: Costs;
  readonly resources: Pick<Resources, 'renderer' | 'pyramids'>;
  readonly shield: ShieldPort | undefined;
}

export function reportOf(over: WindowSeconds, by: Measure, { costs, resources, shield }: ReportParts): DutyReport {
  const { sum, seconds } = costs.over(over);
  const rows = (tallies: Tallies, sortedBy = by): readonly CostRow[] =>
    tallies.top(shown, sortedBy).map(([name, tally]) => rowOf(name, tally, sum.total.ms));
  const { waiting, building, failed } = resources.pyramids.load();
  return {
    at: new Date().toISOString(),
    ...{ over, seconds: Math.round(seconds), by },
    total: rowOf('all', sum.total, sum.total.ms),
    networks: rows(sum.networks),
    systems: rows(sum.systems),
    agents: rows(sum.agents),
    kinds: rows(sum.kinds),
    refusals: rows(sum.refusals, 'requests'),
    files: rows(sum.files, 'ms'),
    renderings: resources.renderer.load(),
    pyramids: { waiting, building, failed },
    ...(shield && {
      budgets: shield.budgets(),
      holds: shield.holds.list().map(({ network, untilMs }) => ({ network, until: new Date(untilMs).toISOString() })),
    }),
  };
}

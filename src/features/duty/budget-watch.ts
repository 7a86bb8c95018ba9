/** Tells the log when a budget first refuses and when that is over: one line each, however often it refuses in between. */
import type { Logger } from 'pino';
import type { BudgetState } from '../../core/ports.ts';

/** A budget that did not bind for this time is over, in ms: one at its bound binds and frees itself many times a minute. */
const restMs = 60_000;

interface Binding {
  readonly sinceMs: number;
  /** Refusals before it bound. */
  readonly refusedBefore: number;
  lastMs: number;
}

interface WatchParts {
  readonly budgets: () => readonly BudgetState[];
  /** The network that took most of the last minute. */
  readonly mostCostly: () => string | undefined;
  readonly logger: Pick<Logger, 'warn'>;
  /** In ms, on a clock that never goes back. */
  readonly now?: () => number;
}

/** The watch, which looks at the budgets each time it is called. */
export function createBudgetWatch({
  budgets,
  mostCostly,
  logger,
  now = () => performance.now(),
}: WatchParts): () => void {
  const binding = new Map<string, Binding>();
  const refusedAtLook = new Map<string, number>();

  function begin({ name, left, size, refused }: BudgetState, nowMs: number): void {
    const refusedBefore = refusedAtLook.get(name) ?? 0;
    binding.set(name, { sinceMs: nowMs, refusedBefore, lastMs: nowMs });
    const network = mostCostly();
    const facts = { budget: name, left, size, refused: refused - refusedBefore };
    logger.warn({ ...facts, ...(network !== undefined && { network }) }, 'a budget binds');
  }

  function end({ name, refused }: BudgetState, { sinceMs, lastMs, refusedBefore }: Binding): void {
    binding.delete(name);
    const seconds = Math.round((lastMs - sinceMs) / 1000);
    logger.warn({ budget: name, seconds, refused: refused - refusedBefore }, 'a budget binds no longer');
  }

  return () => {
    const nowMs = now();
    for (const budget of budgets()) {
      const bound = binding.get(budget.name);
      const binds = budget.binds || budget.refused > (refusedAtLook.get(budget.name) ?? 0);
      if (binds && bound === undefined) begin(budget, nowMs);
      else if (binds && bound !== undefined) bound.lastMs = nowMs;
      else if (bound !== undefined && nowMs - bound.lastMs >= restMs) end(budget, bound);
      refusedAtLook.set(budget.name, budget.refused);
    }
  };
}

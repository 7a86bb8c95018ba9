/** Takes what costs from budgets: those of this process, and those that servers share. */
import type { Cost } from '../../core/http/request-context.ts';
import type { ImageError } from '../../core/image/model/errors.ts';
import type { Asking } from './asking.ts';
import type { Budgets, Charge, Refused } from './budgets.ts';
import type { Holds } from './holds.ts';
import { heldUntil, overBudget } from './refusals.ts';

interface PaymentsParts {
  readonly budgets: Budgets;
  readonly holds: Pick<Holds, 'until'>;
  /** Takes the same from what servers share; resolves to nothing where they don’t answer. Never rejects. */
  readonly takeShared?: ((charges: readonly Charge[]) => Promise<Refused | undefined>) | undefined;
}

export type Payments = ReturnType<typeof createPayments>;

export function createPayments({ budgets, holds, takeShared }: PaymentsParts) {
  /** Why nothing is made for a caller. */
  function refusalOf({ standing, network }: Asking): ImageError | undefined {
    const untilMs = standing === 'known' ? undefined : holds.until(network);
    return untilMs === undefined ? undefined : heldUntil(untilMs);
  }

  return {
    refusalOf,
    /** Rejects with ImageError `over-budget`. */
    async take(asking: Asking, cost: Cost): Promise<void> {
      const held = refusalOf(asking);
      if (held !== undefined) throw held;
      const charges = budgets.chargesFor(asking, cost);
      const refused = budgets.take(charges);
      if (refused !== undefined) throw overBudget(refused);
      const refusedByAll = charges.length === 0 ? undefined : await takeShared?.(charges);
      if (refusedByAll === undefined) return;
      budgets.giveBack(charges);
      budgets.countRefused(charges, refusedByAll);
      throw overBudget(refusedByAll);
    },
    /** The same for what nobody waits for, in this process alone. */
    takeNow: (asking: Asking, cost: Cost): boolean => budgets.take(budgets.chargesFor(asking, cost)) === undefined,
  };
}

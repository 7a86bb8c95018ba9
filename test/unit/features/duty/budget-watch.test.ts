import { describe, expect, it, vi } from 'vitest';
import type { BudgetState } from '../../../../src/core/ports.ts';
import { createBudgetWatch } from '../../../../src/features/duty/budget-watch.ts';

function setup() {
  const clock = { nowMs: 0 };
  const budget = { name: 'strangers', left: 10, size: 10, binds: false, refused: 0 };
  const budgets: BudgetState[] = [budget];
  const warn = vi.fn();
  const watch = createBudgetWatch({
    budgets: () => budgets,
    mostCostly: () => '198.51.100.0/24',
    logger: { warn },
    now: () => clock.nowMs,
  });
  /** Some seconds, in which the budget binds or not at each look. */
  const pass = (seconds: number, binds: boolean, refusals = 0): void => {
    for (let second = 0; second < seconds; second += 5) {
      clock.nowMs += 5000;
      Object.assign(budget, { binds, left: binds ? 0 : 10, refused: budget.refused + refusals });
      watch();
    }
  };
  return { budgets, warn, pass };
}

describe('the watch', () => {
  it('tells once when a budget binds, and once when that is over', () => {
    const { warn, pass } = setup();
    pass(60, false);
    expect(warn).not.toHaveBeenCalled();
    pass(600, true, 3);
    const first = { budget: 'strangers', network: '198.51.100.0/24', left: 0, size: 10, refused: 3 };
    expect(warn.mock.calls).toEqual([[first, 'a budget binds']]);
    pass(120, false);
    expect(warn.mock.calls.slice(1)).toEqual([
      [{ budget: 'strangers', seconds: 595, refused: 360 }, 'a budget binds no longer'],
    ]);
    pass(3600, false);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('tells of one that binds and frees itself again and again as of one', () => {
    const { warn, pass } = setup();
    for (let count = 0; count < 100; count++) {
      pass(5, true, 1);
      pass(30, false);
    }
    expect(warn).toHaveBeenCalledTimes(1);
    pass(60, false);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(warn.mock.lastCall?.[0]).toMatchObject({ refused: 100 });
  });

  it('sees refusals between two looks', () => {
    const { warn, pass } = setup();
    pass(5, false);
    pass(5, false, 7);
    expect(warn.mock.calls[0]?.[0]).toMatchObject({ refused: 7 });
  });

  it('tells of each budget by itself, also of one that comes later', () => {
    const { budgets, warn, pass } = setup();
    pass(5, true, 1);
    budgets.push({ name: 'networks', left: 0, size: 5, binds: true, refused: 2 });
    pass(5, true, 1);
    expect(warn.mock.calls.map(([{ budget }]) => budget)).toEqual(['strangers', 'networks']);
  });
});

/**
 * Budgets of what does not go through the render queue and costs: processor time of documents, archives, data sets, searches and
 * pyramids, and the bytes of originals. Of each there is one for a caller, for its network, for its autonomous system, and for all strangers.
 */

import type { Cost } from '../../core/http/request-context.ts';
import type { BudgetState } from '../../core/ports.ts';
import type { Asking } from './asking.ts';
import { type BucketRule, Buckets } from './buckets.ts';
import type { Shield } from './shield-settings.ts';

const scopes = ['caller', 'network', 'system', 'strangers'] as const;

export type Scope = (typeof scopes)[number];

const resources = ['processor', 'originals'] as const;

export type Resource = (typeof resources)[number];

/** Keys that are remembered of each budget; an entry takes some 200 bytes. */
const maxKeys: Readonly<Record<Scope, number>> = { caller: 20_000, network: 10_000, system: 2000, strangers: 1 };

/** Strangers get as much as this part of their share while readers need the whole machine, so that their waiting ends. */
const leastShare = 0.05;

/** What one request has to have in one bucket. */
export interface Charge {
  readonly resource: Resource;
  readonly scope: Scope;
  readonly key: string;
  readonly amount: number;
  readonly rule: BucketRule;
}

export interface Refused {
  readonly scope: Scope;
  readonly waitMs: number;
}

interface BudgetsParts {
  readonly rules: Shield['budgets'];
  readonly cores: number;
  /** The part of the machine, from 0 to 1, that others than strangers need. */
  readonly busy: () => number;
  readonly now?: () => number;
}

/** One resource in one scope. */
class Budget {
  readonly buckets: Buckets;
  refused = 0;
  bindsUntilMs = 0;

  readonly rule: BucketRule;

  constructor(scope: Scope, rule: BucketRule) {
    this.rule = rule;
    this.buckets = new Buckets(maxKeys[scope]);
  }
}

export class Budgets {
  readonly #parts: BudgetsParts;
  readonly #now: () => number;
  readonly #budgets: Readonly<Record<Resource, Readonly<Record<Scope, Budget>>>>;

  constructor(parts: BudgetsParts) {
    this.#parts = parts;
    const { now = () => performance.now() } = parts;
    this.#now = now;
    const all = (resource: Resource) => {
      const ruleOf = rulesOf(resource, parts);
      const budget = (scope: Scope) => new Budget(scope, ruleOf[scope]);
      return {
        caller: budget('caller'),
        network: budget('network'),
        system: budget('system'),
        strangers: budget('strangers'),
      };
    };
    this.#budgets = { processor: all('processor'), originals: all('originals') };
  }

  /** What a request is charged; nothing where its caller is known. */
  chargesFor({ standing, client, network, system }: Asking, cost: Cost): readonly Charge[] {
    if (standing === 'known') return [];
    const [resource, amount] = 'ms' in cost ? (['processor', cost.ms] as const) : (['originals', cost.bytes] as const);
    const of = (scope: Scope, key: string): Charge => {
      const rule = this.#ruleOf(resource, scope);
      return { resource, scope, key, amount, rule };
    };
    // Readers in a network of crawlers have budgets of their own.
    if (standing === 'reader') return [of('caller', `reader ${client}`), of('network', `reader ${network}`)];
    const charges = [of('caller', client), of('network', network)];
    if (system !== undefined) charges.push(of('system', system));
    charges.push(of('strangers', ''));
    return charges;
  }

  /** Takes what a request is charged; refuses where one of the buckets has not enough, and takes nothing then. */
  take(charges: readonly Charge[]): Refused | undefined {
    const nowMs = this.#now();
    let refused: Refused | undefined;
    for (const { resource, scope, key, amount, rule } of charges) {
      const waitMs = this.#budgets[resource][scope].buckets.waitMs(key, amount, rule, nowMs);
      if (waitMs > (refused?.waitMs ?? 0)) refused = { scope, waitMs };
    }
    if (refused !== undefined) this.countRefused(charges, refused);
    else this.#change(charges, 1, nowMs);
    return refused;
  }

  giveBack(charges: readonly Charge[]): void {
    this.#change(charges, -1, this.#now());
  }

  /** Counts a refusal of these charges, also one by what servers share. */
  countRefused([charge]: readonly Charge[], { scope, waitMs }: Refused): void {
    if (charge === undefined) return;
    const budget = this.#budgets[charge.resource][scope];
    budget.refused++;
    budget.bindsUntilMs = Math.max(budget.bindsUntilMs, this.#now() + waitMs);
  }

  state(): readonly BudgetState[] {
    const nowMs = this.#now();
    return resources.flatMap((resource) =>
      scopes.map((scope) => {
        const rule = this.#ruleOf(resource, scope);
        const { buckets, refused, bindsUntilMs } = this.#budgets[resource][scope];
        return {
          name: `${resource} of ${scope}`,
          left: buckets.least(rule, nowMs),
          size: rule.size,
          binds: bindsUntilMs > nowMs,
          refused,
        };
      }),
    );
  }

  #change(charges: readonly Charge[], sign: 1 | -1, nowMs: number): void {
    for (const { resource, scope, key, amount, rule } of charges)
      this.#budgets[resource][scope].buckets.take(key, sign * amount, rule, nowMs);
  }

  #ruleOf(resource: Resource, scope: Scope): BucketRule {
    const { rule } = this.#budgets[resource][scope];
    if (scope !== 'strangers') return rule;
    return { size: rule.size, perMs: rule.perMs * Math.max(leastShare, 1 - this.#parts.busy()) };
  }
}

/** The rules of a resource while nobody else needs the machine. */
function rulesOf(resource: Resource, { rules, cores }: BudgetsParts): Readonly<Record<Scope, BucketRule>> {
  const refillMs = rules.refillMinutes * 60_000;
  const ofCaller = resource === 'processor' ? rules.processorSeconds * 1000 : rules.originalBytes;
  // Processors are those of this machine; of its connection nothing is known.
  const ofStrangers =
    resource === 'processor' ? rules.strangersShare * cores * refillMs : ofCaller * rules.strangersTimes;
  const ruleOf = (size: number): BucketRule => ({ size, perMs: size / refillMs });
  return {
    caller: ruleOf(ofCaller),
    network: ruleOf(ofCaller * rules.networkTimes),
    system: ruleOf(ofCaller * rules.systemTimes),
    strangers: ruleOf(ofStrangers),
  };
}

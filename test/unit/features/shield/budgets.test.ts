import { describe, expect, it } from 'vitest';
import type { Asking } from '../../../../src/features/shield/asking.ts';
import { Budgets } from '../../../../src/features/shield/budgets.ts';
import { Holds } from '../../../../src/features/shield/holds.ts';
import { OthersNeed } from '../../../../src/features/shield/others-need.ts';
import { createPayments } from '../../../../src/features/shield/payments.ts';
import { shieldSettings } from '../../../../src/features/shield/shield-settings.ts';

/** A caller has 100 s of processor time and 1000 bytes, a network twice and a system three times as much, all strangers 360 s. */
const rules = shieldSettings.shield.parse({
  budgets: {
    ...{ processorSeconds: 100, originalBytes: 1000, refillMinutes: 60 },
    ...{ networkTimes: 2, systemTimes: 3, strangersTimes: 4, strangersShare: 0.1 },
  },
}).budgets;

const caller = (client: string, standing: Asking['standing'] = 'stranger', system?: string): Asking => ({
  ...{ standing, client, system },
  network: `${client.split('.').slice(0, 3).join('.')}.0/24`,
});

function setup(busy = () => 0) {
  const clock = { nowMs: 0 };
  const budgets = new Budgets({ rules, cores: 1, busy, now: () => clock.nowMs });
  const take = (who: Asking, ms: number) => budgets.take(budgets.chargesFor(who, { ms }));
  const named = (name: string) => budgets.state().find((one) => one.name === name);
  return { clock, budgets, take, named };
}

describe('a budget', () => {
  it('is what a caller has at once, and comes back in its time', () => {
    const { clock, take } = setup();
    expect(take(caller('10.0.0.1'), 100_000)).toBeUndefined();
    expect(take(caller('10.0.0.1'), 10_000)).toEqual({ scope: 'caller', waitMs: 360_000 });
    clock.nowMs = 359_999;
    expect(take(caller('10.0.0.1'), 10_000)?.scope).toBe('caller');
    clock.nowMs = 360_001;
    expect(take(caller('10.0.0.1'), 10_000)).toBeUndefined();
  });

  it('that is full gives once what is larger, and then waits for all of it', () => {
    const { clock, take } = setup();
    expect(take(caller('10.0.0.1', 'reader'), 150_000)).toBeUndefined();
    const refused = take(caller('10.0.0.1', 'reader'), 1000);
    expect(refused?.scope).toBe('caller');
    expect(refused?.waitMs).toBeCloseTo(51_000 * 36, 0);
    clock.nowMs = 51_001 * 36;
    expect(take(caller('10.0.0.1', 'reader'), 1000)).toBeUndefined();
  });

  it('is shared by the callers of a network, and of a system', () => {
    const { take } = setup();
    for (const client of ['10.0.0.1', '10.0.0.2'])
      expect(take(caller(client, 'stranger', 'AS1'), 100_000)).toBeUndefined();
    expect(take(caller('10.0.0.3', 'stranger', 'AS1'), 1000)?.scope).toBe('network');
    expect(take(caller('10.0.1.1', 'stranger', 'AS1'), 100_000)).toBeUndefined();
    expect(take(caller('10.0.2.1', 'stranger', 'AS1'), 1000)?.scope).toBe('system');
    expect(take(caller('10.0.2.1', 'stranger', 'AS2'), 1000)).toBeUndefined();
  });

  it('of all strangers does not bind readers, nor that of their networks; known callers have none', () => {
    const { take, named } = setup();
    for (const client of ['10.0.0.1', '10.0.1.1', '10.0.2.1']) take(caller(client), 100_000);
    expect(take(caller('10.0.3.1'), 60_001)).toEqual({ scope: 'strangers', waitMs: expect.closeTo(10, 0) });
    expect(take(caller('10.0.0.1', 'reader'), 100_000)).toBeUndefined();
    expect(take(caller('10.0.0.1', 'known'), 1e9)).toBeUndefined();
    expect(named('processor of strangers')).toMatchObject({ size: 360_000, left: 60_000, refused: 1, binds: true });
  });

  it('refuses without taking anything', () => {
    const { take, named } = setup();
    take(caller('10.0.0.1'), 100_000);
    for (let count = 0; count < 5; count++) take(caller('10.0.0.1'), 100);
    expect(named('processor of caller')).toMatchObject({ left: 0, refused: 5 });
    expect(named('processor of network')?.left).toBe(100_000);
  });

  it('binds until what it refused last would be given', () => {
    const { clock, take, named } = setup();
    take(caller('10.0.0.1'), 100_000);
    expect(named('processor of caller')?.binds).toBe(false);
    take(caller('10.0.0.1'), 1000);
    clock.nowMs = 35_999;
    expect(named('processor of caller')?.binds).toBe(true);
    clock.nowMs = 36_000;
    expect(named('processor of caller')?.binds).toBe(false);
  });

  it('of originals is in bytes, and another one', () => {
    const { budgets, take, named } = setup();
    const send = (bytes: number) => budgets.take(budgets.chargesFor(caller('10.0.0.1'), { bytes }));
    expect(send(1000)).toBeUndefined();
    expect(send(1)?.scope).toBe('caller');
    expect(take(caller('10.0.0.1'), 100_000)).toBeUndefined();
    expect(named('originals of strangers')).toMatchObject({ size: 4000, left: 3000 });
  });

  it('of strangers comes back more slowly while readers need the machine, and never not at all', () => {
    let busy = 0.5;
    const { clock, take } = setup(() => busy);
    const swarm = ['10.0.0.1', '10.0.1.1', '10.0.2.1', '10.0.3.1'];
    for (const client of swarm) take(caller(client), 90_000);
    expect(take(caller('10.9.0.1'), 1000)?.waitMs).toBeCloseTo(20_000);
    busy = 1;
    expect(take(caller('10.9.0.1'), 1000)?.waitMs).toBeCloseTo(200_000);
    clock.nowMs = 200_001;
    expect(take(caller('10.9.0.1'), 1000)).toBeUndefined();
  });

  it('is remembered of the callers that were there last, and the common one of all', () => {
    const { take, named } = setup();
    for (let index = 0; index < 25_000; index++)
      take(caller(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`), 1);
    expect(named('processor of strangers')?.left).toBe(360_000 - 25_000);
    expect(take(caller('10.0.0.0'), 100_000)).toBeUndefined();
  });
});

describe('what others need', () => {
  it('is the part of the cores that made pictures for them lately', () => {
    let nowMs = 0;
    const need = new OthersNeed(2, () => nowMs);
    expect(need.share()).toBe(0);
    for (; nowMs < 600_000; nowMs += 1000) need.note(500);
    expect(need.share()).toBeCloseTo(0.25, 1);
    nowMs += 60_000;
    expect(need.share()).toBeCloseTo(0.125, 1);
    need.note(1e9);
    expect(need.share()).toBe(1);
  });
});

describe('a payment', () => {
  const pay = (takeShared?: Parameters<typeof createPayments>[0]['takeShared']) => {
    const { budgets, named } = setup();
    const holds = new Holds();
    const payments = createPayments({ budgets, holds, takeShared });
    return { payments, holds, named };
  };

  it('is refused with the time after which it can be made', async () => {
    const { payments } = pay();
    await payments.take(caller('10.0.0.1'), { ms: 100_000 });
    await expect(payments.take(caller('10.0.0.1'), { ms: 1000 })).rejects.toMatchObject({
      code: 'over-budget',
      retryAfterS: 36,
      message: 'You have asked for as much as one caller can have at once; ask again in 36 s.',
    });
  });

  it('is refused to a network that is held, but not to known callers in it', async () => {
    const { payments, holds } = pay();
    await holds.hold('10.0.0.0/24', Date.now() + 60_000);
    for (const standing of ['stranger', 'reader'] as const)
      await expect(payments.take(caller('10.0.0.1', standing), { ms: 1 })).rejects.toThrow('Your network');
    await payments.take(caller('10.0.0.1', 'known'), { ms: 1 });
    expect(payments.refusalOf(caller('10.0.1.1'))).toBeUndefined();
  });

  it('is given back where what servers share refuses it', async () => {
    const { payments, named } = pay(async () => ({ scope: 'network', waitMs: 2000 }));
    await expect(payments.take(caller('10.0.0.1'), { ms: 50 })).rejects.toMatchObject({ retryAfterS: 2 });
    expect(named('processor of caller')).toMatchObject({ left: 100_000, refused: 0 });
    expect(named('processor of network')).toMatchObject({ left: 200_000, refused: 1, binds: true });
  });

  it('counts here too where servers share it', async () => {
    const { payments, named } = pay(async () => undefined);
    await payments.take(caller('10.0.0.1'), { ms: 50 });
    await payments.take(caller('10.0.0.1', 'known'), { ms: 50 });
    expect(named('processor of caller')?.left).toBe(99_950);
  });
});

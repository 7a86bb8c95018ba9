/** When the library is walked for the list of changes, and what requests are told meanwhile. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChangeCounts, ChangeList, SeenManifest } from '../../../../src/core/storage/change-list.ts';
import { Changes } from '../../../../src/features/discovery/changes.ts';
import type { PublicManifests } from '../../../../src/features/discovery/public-manifests.ts';

afterEach(() => void vi.useRealTimers());

const none: ChangeCounts = { create: 0, update: 0, delete: 0, refused: 0 };
const { signal } = new AbortController();

/** A list that only remembers what it was told. */
function listOf(told: string[], isWhole = false): ChangeList {
  let whole = isWhole;
  return {
    state: async () => ({ total: 1, first: 0, last: 0, isWhole: whole }),
    page: async () => undefined,
    begin: async () => void told.push('begin'),
    note: async (manifests) => {
      told.push(...manifests.map(({ path }) => path));
      return none;
    },
    end: async (sawAll) => {
      told.push(sawAll ? 'end' : 'end of some');
      whole = true;
      return none;
    },
    close: async () => void told.push('close'),
  };
}

const seen = (path: string): SeenManifest => ({ path, version: 'v', changedMs: 0 });

const manifestsOf = (...all: readonly (SeenManifest | 'no-answer' | Promise<SeenManifest>)[]): PublicManifests => ({
  isOpen: () => true,
  async *all() {
    for (const one of all) yield await one;
  },
});

function changesOf(list: ChangeList, faults: string[] = [], clock = { nowMs: 0 }): Changes {
  const options = { refreshMs: 60_000, waitMs: 1, now: () => clock.nowMs };
  return new Changes({ ...options, open: async () => list, onFault: (message) => void faults.push(message) });
}

describe('a request', () => {
  it('is told to come again while the library is walked for the first time, and answered then', async () => {
    const told: string[] = [];
    let go = (_manifest: SeenManifest): void => undefined;
    const late = new Promise<SeenManifest>((resolve) => {
      go = resolve;
    });
    const changes = changesOf(listOf(told));
    changes.use(manifestsOf(seen('a'), late));
    for (const _ of ['once', 'again'])
      await expect(changes.state(signal)).rejects.toMatchObject({ code: 'being-read', retryAfterS: 10 });
    go(seen('b'));
    await changes.walk();
    expect(await changes.state(signal)).toMatchObject({ isWhole: true });
    // One walk was for all of them.
    expect(told).toEqual(['begin', 'a', 'b', 'end']);
    await changes.close();
  });

  it('does not wait long for a walk where there is a list, and begins one where the last was long ago', async () => {
    const told: string[] = [];
    const clock = { nowMs: 0 };
    const changes = changesOf(listOf(told, true), [], clock);
    changes.use(manifestsOf(new Promise<SeenManifest>(() => undefined)));
    expect(await changes.state(signal)).toMatchObject({ isWhole: true });
    expect(told).toEqual(['begin']);
  });

  it('begins no walk before the interval is over', async () => {
    const told: string[] = [];
    const clock = { nowMs: 0 };
    const changes = changesOf(listOf(told), [], clock);
    changes.use(manifestsOf());
    await changes.walk();
    clock.nowMs = 59_999;
    await changes.state(signal);
    expect(told).toEqual(['begin', 'end']);
    clock.nowMs = 60_000;
    await changes.state(signal);
    await vi.waitFor(() => expect(told).toEqual(['begin', 'end', 'begin', 'end']));
    await changes.close();
  });
});

describe('a library', () => {
  it('is walked at intervals once somebody has asked, and no more when nobody has for some days', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const told: string[] = [];
    const options = { refreshMs: 60_000, waitMs: 1, now: () => Date.now(), onFault: () => undefined };
    const changes = new Changes({ ...options, open: async () => listOf(told) });
    const walks = (): number => told.filter((one) => one === 'begin').length;
    changes.use(manifestsOf(seen('a')));
    changes.start();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(walks()).toBe(0);
    await changes.walk();
    await changes.state(signal);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(60_000);
      expect(walks()).toBeGreaterThan(3);
    });
    vi.setSystemTime(Date.now() + 9 * 24 * 3_600_000);
    await vi.advanceTimersByTimeAsync(120_000);
    await changes.walk();
    const before = walks();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(walks()).toBe(before);
    await changes.close();
  });
});

describe('a walk', () => {
  it('says that it has not seen all where something does not answer', async () => {
    const told: string[] = [];
    const changes = changesOf(listOf(told));
    changes.use(manifestsOf(seen('a'), 'no-answer', seen('b')));
    await changes.walk();
    expect(told).toEqual(['begin', 'a', 'b', 'end of some']);
    await changes.close();
  });

  it('does not end where other rules came meanwhile: what they close has been seen by it', async () => {
    const told: string[] = [];
    const changes = changesOf(listOf(told));
    const own = manifestsOf(seen('a'));
    changes.use({
      ...own,
      async *all(signal) {
        yield* own.all(signal);
        changes.use(manifestsOf(seen('b')));
      },
    });
    await changes.walk();
    expect(told).toEqual(['begin', 'a']);
    await changes.walk();
    expect(told).toEqual(['begin', 'a', 'begin', 'b', 'end']);
    await changes.close();
  });

  it('that fails is reported, closes the list, and opens it again the next time', async () => {
    const told: string[] = [];
    const faults: string[] = [];
    const whole = listOf(told);
    let isBroken = true;
    const begin = async (): Promise<void> => {
      if (isBroken) throw new Error('the disk is full');
      await whole.begin();
    };
    const changes = changesOf({ ...whole, begin }, faults);
    changes.use(manifestsOf(seen('a')));
    await changes.walk();
    expect([told, faults.length]).toEqual([['close'], 1]);
    isBroken = false;
    await changes.walk();
    expect(told).toEqual(['close', 'begin', 'a', 'end']);
    await changes.close();
  });
});

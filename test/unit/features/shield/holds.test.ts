import { afterEach, describe, expect, it, vi } from 'vitest';
import { ownersNetworkOf } from '../../../../src/core/http/origin.ts';
import { Holds } from '../../../../src/features/shield/holds.ts';
import { parseNetwork } from '../../../../src/features/shield/networks.ts';

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['198.51.100.7', '198.51.100.0/24'],
  ['2001:db8:1:2', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (key, expected) => expect(ownersNetworkOf(key)).toBe(expected));

it.each([
  ['198.51.100.0/24', '198.51.100.0/24'],
  [' 198.51.100.77 ', '198.51.100.0/24'],
  ['::ffff:198.51.100.77', '198.51.100.0/24'],
  ['2001:DB8:1::/48', '2001:db8:1::/48'],
  ['2001:db8:1:2::9', '2001:db8:1::/48'],
  ['198.51.100.0/16', undefined],
  ['2001:db8:1::/24', undefined],
  ['198.51.100.0/24/24', undefined],
  ['unknown', undefined],
  ['', undefined],
])('%j names the network %s', (text, expected) => expect(parseNetwork(text)).toBe(expected));

describe('a hold', () => {
  it('ends at its time, or when it is released', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1000);
    const holds = new Holds();
    await holds.hold('198.51.100.9', 2000);
    await holds.hold('2001:db8:1::/48', 3000);
    expect(holds.until('198.51.100.0/24')).toBe(2000);
    expect(holds.until('198.51.101.0/24')).toBeUndefined();
    now.mockReturnValue(2000);
    expect(holds.list()).toEqual([{ network: '2001:db8:1::/48', untilMs: 3000 }]);
    expect(holds.until('198.51.100.0/24')).toBeUndefined();
    await holds.release('2001:db8:1:7::1');
    expect(holds.list()).toEqual([]);
  });

  it('is refused for what is no network', async () => {
    await expect(new Holds().hold('everyone', 1)).rejects.toThrow(RangeError);
    await expect(new Holds().release('everyone')).rejects.toThrow('"everyone" must be an address');
  });

  it('gives way where there are too many, the one that ends first before others', async () => {
    const endMs = Date.now() + 3_600_000;
    const holds = new Holds();
    for (let index = 0; index < 1000; index++) await holds.hold(`10.${index >> 8}.${index & 255}.1`, endMs + index);
    await holds.hold('192.0.2.1', endMs + 5000);
    expect(holds.list()).toHaveLength(1000);
    expect(holds.until('10.0.0.0/24')).toBeUndefined();
    expect(holds.until('192.0.2.0/24')).toBe(endMs + 5000);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SettingsError } from '../../../../src/config/settings-error.ts';
import { openSystems } from '../../../../src/features/shield/systems.ts';
import { mmdb } from '../../../fixtures/mmdb.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-systems-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const fileOf = (bytes: Buffer): string => {
  const file = path.join(folder, `${count++}.mmdb`);
  writeFileSync(file, bytes);
  return file;
};

const geoLite = mmdb('GeoLite2-ASN', {
  '198.51.100.0/24': { autonomous_system_number: 64500, autonomous_system_organization: 'Example Hosting' },
  '203.0.113.128/25': { autonomous_system_number: 4200000001 },
  '2001:db8:1::/48': { autonomous_system_number: 64501 },
});

describe('autonomous systems', () => {
  it.each([
    ['198.51.100.7', 'AS64500'],
    ['198.51.101.7', undefined],
    ['203.0.113.200', 'AS4200000001'],
    ['203.0.113.100', undefined],
    ['2001:db8:1:2::9', 'AS64501'],
    ['2001:db8:2::9', undefined],
    ['unknown', undefined],
    ['', undefined],
  ])('of %s is %s', async (address, expected) => {
    expect((await openSystems(fileOf(geoLite))).of(address)).toBe(expected);
  });

  it('are read from the files of other makers', async () => {
    const dbIp = mmdb('DBIP-ASN-Lite (compat=GeoLite2-ASN)', { '10.0.0.0/8': { autonomous_system_number: 1 } });
    expect((await openSystems(fileOf(dbIp))).of('10.1.2.3')).toBe('AS1');
    const ipInfo = mmdb('ipinfo generic_asn_free.mmdb', { '10.0.0.0/8': { asn: 'AS64502', name: 'Example' } });
    expect((await openSystems(fileOf(ipInfo))).of('10.1.2.3')).toBe('AS64502');
    const odd = mmdb('ipinfo generic_asn_free.mmdb', { '10.0.0.0/8': { asn: 'none' }, '11.0.0.0/8': 'text' });
    const systems = await openSystems(fileOf(odd));
    expect([systems.of('10.1.2.3'), systems.of('11.1.2.3')]).toEqual([undefined, undefined]);
  });

  it.each([
    ['is missing', () => path.join(folder, 'missing.mmdb'), 'can’t be read (ENOENT)'],
    ['is something else', () => fileOf(Buffer.from('number,name\n64500,Example\n')), 'is no file of MaxMind DB'],
    ['is cut off', () => fileOf(geoLite.subarray(0, -40)), 'is no file of MaxMind DB'],
    [
      'is of cities',
      () => fileOf(mmdb('GeoLite2-City', { '10.0.0.0/8': {} })),
      'no autonomous systems but “GeoLite2-City”',
    ],
  ])('can’t be read from a file that %s', async (_name, file, reason) => {
    const opening = openSystems(file());
    await expect(opening).rejects.toThrow(SettingsError);
    await expect(opening).rejects.toThrow(/^shield\.systemsFile: /);
    await expect(opening).rejects.toThrow(reason);
  });

  it('of a file whose records are damaged are none', async () => {
    const damaged = Buffer.from(geoLite);
    damaged.fill(0xff, damaged.indexOf('autonomous_system_number') - 4, damaged.indexOf('Example'));
    expect((await openSystems(fileOf(damaged))).of('198.51.100.7')).toBeUndefined();
  });
});

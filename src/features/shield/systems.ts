/** The autonomous systems of addresses, by a file of MaxMind DB that the site gives (https://maxmind.github.io/MaxMind-DB/). */
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { SettingsError } from '../../config/settings-error.ts';

export interface Systems {
  /** As `AS64500`; undefined for addresses that the file does not know. `address` is none of IPv4 in IPv6. */
  of(address: string): string | undefined;
}

/** Addresses whose system is known without a lookup. */
const maxKnown = 10_000;

/** GeoLite2-ASN and DB-IP have a number, IPinfo a name such as `AS64500`. */
function systemIn(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const { autonomous_system_number: number, asn } = record as Readonly<Record<string, unknown>>;
  const digits = /^(?:AS)?(\d{1,10})$/.exec(String(number ?? asn ?? ''))?.[1];
  return digits === undefined ? undefined : `AS${digits}`;
}

interface Table {
  readonly metadata: { readonly databaseType: string; readonly ipVersion: number };
  get(address: string): unknown;
}

/** A file that is damaged is noticed where it is read, and no reason to answer nothing. */
function systemAt(address: string, table: Table): string | undefined {
  try {
    return systemIn(table.get(address));
  } catch {
    return undefined;
  }
}

const unusable = (file: string, reason: string): SettingsError =>
  new SettingsError([`shield.systemsFile: ${file} ${reason}`]);

/** Rejects with SettingsError for a file that has no autonomous systems. The package is loaded here, and not before. */
export async function openSystems(file: string): Promise<Systems> {
  const { Reader } = await import('mmdb-lib');
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unusable(file, `can’t be read (${error.code})`);
  });
  const reader = openTable<Table>(() => new Reader<never>(bytes), file);
  const { databaseType: type, ipVersion } = reader.metadata;
  if (!/asn|isp|ipinfo/i.test(type)) throw unusable(file, `has no autonomous systems but “${type}”`);
  const known = new LRUCache<string, string>({
    max: maxKnown,
    memoMethod: (address) => systemAt(address, reader) ?? '',
  });
  const isOfTable = (address: string): boolean => isIP(address) === 4 || (isIP(address) === 6 && ipVersion === 6);
  return { of: (address) => (isOfTable(address) && known.memo(address)) || undefined };
}

function openTable<T>(open: () => T, file: string): T {
  try {
    return open();
  } catch {
    throw unusable(file, 'is no file of MaxMind DB, or only a part of one');
  }
}

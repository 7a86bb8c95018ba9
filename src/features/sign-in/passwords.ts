/** Hashes of passwords by scrypt (RFC 7914), with their parameters: `scrypt:N:r:p:salt:hash`. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** What OWASP recommends: 128 MiB and about a third of a second of a core. */
const usual = { N: 2 ** 17, r: 8, p: 1 } as const;

const hashBytes = 32;

const form = /^scrypt:(\d{1,8}):(\d{1,3}):(\d{1,3}):([\w-]{16,128}):([\w-]{40,128})$/;

interface Parsed {
  readonly cost: { readonly N: number; readonly r: number; readonly p: number };
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Costs beyond these would let a mistyped hash stop the server. */
const maxMemory = 2 ** 28;
const maxParallel = 16;

function parse(text: string): Parsed | undefined {
  const [, N = '', r = '', p = '', salt = '', hash = ''] = form.exec(text) ?? [];
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const isPower = cost.N > 1 && Number.isInteger(Math.log2(cost.N));
  if (!isPower || cost.r < 1 || cost.p < 1 || 128 * cost.N * cost.r > maxMemory || cost.p > maxParallel)
    return undefined;
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

export const isPasswordHash = (text: string): boolean => parse(text) !== undefined;

const derive = (password: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer): void => (error === null ? resolve(key) : reject(error));
    // The same letters have several forms in Unicode, which keyboards choose among.
    scrypt(password.normalize('NFC'), salt, length, { ...options, maxmem: 2 * maxMemory }, done);
  });

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, hashBytes, usual);
  const { N, r, p } = usual;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/** Takes the same time for each password. False also for what is no hash. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const parsed = parse(hash);
  if (parsed === undefined) return false;
  return timingSafeEqual(await derive(password, parsed.salt, parsed.hash.length, parsed.cost), parsed.hash);
}

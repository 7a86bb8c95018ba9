/** Users with passwords: those of the settings, and those of a digilib in tomcat-users.xml. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { elementsNamed, readXmlFile } from '../../config/digilib-config/xml-file.ts';
import type { SignedIn } from '../../core/access/policy.ts';
import { hashPassword, isPassword, isPasswordHash } from './passwords.ts';

export interface User {
  readonly name: string;
  /** A hash by scrypt, or as Tomcat has it: the password itself, or its digest in hexadecimal digits. */
  readonly password: string;
  readonly roles: readonly string[];
}

export const userFaults = {
  wrong: 'The name or the password is wrong.',
  often: 'There were too many wrong passwords; try again in a minute.',
} as const;

type Checked = SignedIn | { readonly fault: string };

/** The users of a file tomcat-users.xml. Throws XmlError where it can't be read. */
export const readTomcatUsers = (file: string): readonly User[] =>
  elementsNamed(readXmlFile(file), 'user').flatMap(({ attributes }) => {
    const name = attributes['username'] ?? attributes['name'] ?? '';
    const { password = '', roles = '' } = attributes;
    const named = roles.split(',').map((role) => role.trim());
    return name === '' || password === '' ? [] : [{ name, password, roles: named.filter((role) => role !== '') }];
  });

/** The digests that Tomcat's `digest` command writes, by their number of digits. */
const digests: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256', 96: 'sha384', 128: 'sha512' };

/** Whether a password is the one of a user. Hashes and digests are never taken for passwords themselves. */
function matchesPlain(password: string, stored: string): boolean {
  if (stored.startsWith('scrypt:')) return false;
  const algorithm = /^[0-9a-f]+$/i.test(stored) ? digests[stored.length] : undefined;
  const sent = algorithm === undefined ? password : createHash(algorithm).update(password).digest('hex');
  const wanted = algorithm === undefined ? stored : stored.toLowerCase();
  const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digestOf(sent), digestOf(wanted));
}

/** Checks at the same time; each takes 128 MiB. */
const concurrentChecks = 2;

/** What was found out about a password is used again for this time, in ms. */
const knownMs = 5 * 60_000;

/** Wrong passwords of a client within a minute after which none of it is checked. */
const maxWrong = 10;
const wrongMs = 60_000;

const maxWaiting = 50;

interface UsersParts {
  readonly users: readonly User[];
  readonly usersFile: string | undefined;
  /** Names the client of a request, for which wrong passwords are counted. */
  readonly clientOf: (request: IncomingMessage) => string;
  readonly onFault: (message: string, error: unknown) => void;
}

export class Users {
  readonly #parts: UsersParts;
  /** What passwords are known by, in this process alone. */
  readonly #key = randomBytes(32);
  readonly #known = new LRUCache<string, SignedIn>({ max: 5000, ttl: knownMs });
  readonly #checking = new Map<string, Promise<Checked>>();
  readonly #wrong = new LRUCache<string, number>({ max: 20_000, ttl: wrongMs });
  readonly #checks = new PQueue({ concurrency: concurrentChecks });
  /** Checked for names that nobody has, so that these take as long. */
  #nobody: Promise<string> | undefined;
  #file: { readonly changedMs: number; readonly users: readonly User[] } = { changedMs: 0, users: [] };

  constructor(parts: UsersParts) {
    this.#parts = parts;
  }

  /** The user of a name, with the present password; those of the settings come first. */
  async named(name: string): Promise<User | undefined> {
    const own = this.#parts.users.find((user) => user.name === name);
    return own ?? (await this.#ofFile()).find((user) => user.name === name);
  }

  /** Changes with the password of a user, and says nothing of it to who has no key of sessions. */
  markOf({ name, password }: User): string {
    return createHash('sha256')
      .update(JSON.stringify([name, password]))
      .digest('base64url')
      .slice(0, 22);
  }

  /** Who has this name and this password. Never rejects. */
  async check(name: string, password: string, request: IncomingMessage): Promise<Checked> {
    const user = await this.named(name);
    const client = this.#parts.clientOf(request);
    // What one client has shown is of no use to another, which guesses.
    const mark = JSON.stringify([client, name, password, user?.password, user?.roles]);
    const key = createHmac('sha256', this.#key).update(mark).digest('base64');
    const known = this.#known.get(key) ?? this.#checking.get(key);
    if (known !== undefined) return known;
    const checking = this.#checkOnce(user, name, password, client).finally(() => this.#checking.delete(key));
    this.#checking.set(key, checking);
    const checked = await checking;
    if (!('fault' in checked)) this.#known.set(key, checked);
    return checked;
  }

  async #checkOnce(user: User | undefined, name: string, password: string, client: string): Promise<Checked> {
    if ((this.#wrong.get(client) ?? 0) >= maxWrong || this.#checks.size >= maxWaiting)
      return { fault: userFaults.often };
    // Counted before it is checked, so that many at the same time are not all checked.
    this.#count(client, 1);
    const isRight = await this.#checks.add(() => this.#matches(user, password));
    if (user === undefined || !isRight) return { fault: userFaults.wrong };
    this.#count(client, -1);
    return { name, roles: user.roles };
  }

  /** Takes as long for names that nobody has, and for passwords that are not stored as hashes by scrypt. */
  async #matches(user: User | undefined, password: string): Promise<boolean> {
    if (user !== undefined && isPasswordHash(user.password)) return isPassword(password, user.password);
    await isPassword(password, await this.#hashOfNobody());
    return user !== undefined && matchesPlain(password, user.password);
  }

  /** Who sent its name and password with a request (RFC 7617); undefined where it sent none. */
  async basic(request: IncomingMessage): Promise<Checked | undefined> {
    const sent = /^basic +([A-Za-z0-9+/=]{1,1024})$/i.exec(request.headers.authorization ?? '')?.[1];
    if (sent === undefined) return undefined;
    const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(sent, 'base64').toString('utf8')) ?? [];
    return this.check(name, password, request);
  }

  #count(client: string, more: number): void {
    const ttl = this.#wrong.getRemainingTTL(client);
    const count = (this.#wrong.get(client) ?? 0) + more;
    this.#wrong.set(client, Math.max(0, count), { ttl: ttl > 0 ? ttl : wrongMs });
  }

  #hashOfNobody(): Promise<string> {
    this.#nobody ??= hashPassword(randomBytes(16).toString('hex'));
    return this.#nobody;
  }

  async #ofFile(): Promise<readonly User[]> {
    const { usersFile, onFault } = this.#parts;
    if (usersFile === undefined) return [];
    try {
      const { mtimeMs: changedMs } = await stat(usersFile);
      if (this.#file.changedMs !== changedMs) this.#file = { changedMs, users: readTomcatUsers(usersFile) };
    } catch (error) {
      // Who was taken out of a file that can't be read must not stay in.
      this.#file = { changedMs: 0, users: [] };
      onFault('the file of users can’t be read', error);
    }
    return this.#file.users;
  }
}

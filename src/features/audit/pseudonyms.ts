/** Pseudonyms of names and addresses: the same within a period, and nobody's after it, since its key is forgotten. */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJsonObject } from '../../core/parsing/parse.ts';
import type { Audit } from './audit-settings.ts';
import { dayOf } from './daily-files.ts';

interface PeriodKey {
  readonly period: string;
  readonly key: string;
}

const fileName = 'pseudonym-key.json';

/** A key is kept in a file for its period, so that a restart changes no pseudonym; that of a period before is overwritten. */
export class Pseudonyms {
  readonly #kind: Audit['pseudonyms'];
  readonly #folder: string;
  readonly #onFault: (message: string, error: unknown) => void;
  #current: PeriodKey | undefined;
  #changing: Promise<void> | undefined;

  constructor(kind: Audit['pseudonyms'], folder: string, onFault: (message: string, error: unknown) => void) {
    this.#kind = kind;
    this.#folder = folder;
    this.#onFault = onFault;
  }

  /** What stands for a name or an address; `use` tells apart what has the same text. Never rejects. */
  async of(use: 'name' | 'address', text: string, nowMs: number): Promise<string> {
    if (this.#kind === 'none') return text;
    const { key } = await this.#keyAt(nowMs);
    return createHmac('sha256', key).update(`${use}\0${text}`).digest('base64url').slice(0, 16);
  }

  /** Forgets the key of a period that is over, also where nobody sees anything. Never rejects. */
  async forget(nowMs: number): Promise<void> {
    if (this.#kind !== 'none') await this.#keyAt(nowMs);
  }

  #periodAt = (nowMs: number): string => (this.#kind === 'month' ? dayOf(nowMs).slice(0, 7) : dayOf(nowMs));

  async #keyAt(nowMs: number): Promise<PeriodKey> {
    const period = this.#periodAt(nowMs);
    while (this.#current?.period !== period) {
      this.#changing ??= this.#change(period).finally(() => {
        this.#changing = undefined;
      });
      await this.#changing;
    }
    return this.#current;
  }

  async #change(period: string): Promise<void> {
    const file = path.join(this.#folder, fileName);
    const stored = parseJsonObject(await readFile(file, 'utf8').catch(() => ''));
    if (stored?.['period'] === period && typeof stored['key'] === 'string' && /^[\w-]{43}$/.test(stored['key'])) {
      this.#current = { period, key: stored['key'] };
      return;
    }
    this.#current = { period, key: randomBytes(32).toString('base64url') };
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.new`, JSON.stringify(this.#current), { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      this.#onFault('the key of pseudonyms can’t be kept, so that a restart changes them', error);
    }
  }
}

/** Notes which links were used that count once: a file each in a folder, which survives restarts, and in Redis for all servers. */
import { mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Redis } from 'ioredis';
import type { CoreSettings } from '../../config/core-settings.ts';
import { redisConnections } from '../../core/redis-connection.ts';

/** Methods reject where it can't be told. */
export interface UsedLinks {
  isUsed(id: string): Promise<boolean>;
  /** Notes the use of a link; false where it was noted before. Of several at the same time, one resolves to true. */
  use(id: string, untilMs: number): Promise<boolean>;
  /** Forgets a use that came to nothing. */
  release(id: string): Promise<void>;
  close(): void;
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | undefined)?.code === code;

/** The name of a file holds when the link expires, so that it can be deleted then. */
class UsedInFolder implements UsedLinks {
  readonly #folder: string;
  #swept: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async isUsed(id: string): Promise<boolean> {
    return stat(this.#fileOf(id)).then(
      () => true,
      (error: unknown) => {
        if (isCode(error, 'ENOENT')) return false;
        throw error;
      },
    );
  }

  async use(id: string, untilMs: number): Promise<boolean> {
    this.#swept ??= this.#sweep().catch((error: unknown) => {
      this.#swept = undefined;
      throw error;
    });
    await this.#swept;
    try {
      const file = await open(this.#fileOf(id), 'wx', 0o600);
      try {
        await file.writeFile(String(untilMs));
        await file.sync();
      } finally {
        await file.close();
      }
      return true;
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  async release(id: string): Promise<void> {
    await unlink(this.#fileOf(id)).catch(() => undefined);
  }

  close(): void {}

  #fileOf(id: string): string {
    return path.join(this.#folder, `${id}.used`);
  }

  /** Deletes the files of links that have expired; others in the folder are not touched. */
  async #sweep(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#folder)) {
      if (!/^[\w-]{8}\.used$/.test(name)) continue;
      const file = path.join(this.#folder, name);
      const untilMs = Number(await readFile(file, 'utf8').catch(() => ''));
      // A file without its date was cut off by a crash, and its link may hold still.
      if (untilMs > 0 && untilMs < Date.now()) await unlink(file).catch(() => undefined);
    }
  }
}

/** Redis has this time for an answer, in ms. */
const commandMs = 5000;

class UsedInRedis implements UsedLinks {
  readonly #settings: NonNullable<CoreSettings['redis']>;
  #connection: Promise<Redis> | undefined;

  constructor(settings: NonNullable<CoreSettings['redis']>) {
    this.#settings = settings;
  }

  async isUsed(id: string): Promise<boolean> {
    return (await (await this.#connected()).exists(this.#keyOf(id))) > 0;
  }

  async use(id: string, untilMs: number): Promise<boolean> {
    const connection = await this.#connected();
    return (await connection.set(this.#keyOf(id), '1', 'PXAT', Math.ceil(untilMs), 'NX')) === 'OK';
  }

  async release(id: string): Promise<void> {
    await (await this.#connected()).del(this.#keyOf(id));
  }

  close(): void {
    void this.#connection?.then(
      (connection) => connection.disconnect(),
      () => undefined,
    );
  }

  #keyOf = (id: string): string => `${this.#settings.prefix}:signed-links:used:${id}`;

  /** Opened when the first such link comes, and again after it was lost. */
  #connected(): Promise<Redis> {
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async #connect(): Promise<Redis> {
    const connection = (await redisConnections(this.#settings, commandMs))();
    connection.on('end', () => {
      this.#connection = undefined;
    });
    await connection.connect();
    return connection;
  }
}

/** In both where there are both: a link is used where either knows it. */
function usedInAll(all: readonly UsedLinks[]): UsedLinks {
  return {
    async isUsed(id) {
      for (const one of all) if (await one.isUsed(id)) return true;
      return false;
    },
    async use(id, untilMs) {
      const noted: UsedLinks[] = [];
      try {
        for (const one of all) {
          if (!(await one.use(id, untilMs))) return false;
          noted.push(one);
        }
        return true;
      } catch (error) {
        for (const one of noted) await one.release(id);
        throw error;
      }
    },
    async release(id) {
      for (const one of all) await one.release(id);
    },
    close() {
      for (const one of all) one.close();
    },
  };
}

/** Undefined where nothing can note it. */
export function openUsedLinks(folder: string | undefined, redis: CoreSettings['redis']): UsedLinks | undefined {
  const all = [
    ...(folder === undefined ? [] : [new UsedInFolder(folder)]),
    ...(redis === undefined ? [] : [new UsedInRedis(redis)]),
  ];
  return all.length === 0 ? undefined : usedInAll(all);
}

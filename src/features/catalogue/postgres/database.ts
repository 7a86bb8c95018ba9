/** Connections to the database of the catalogue: bounded in number and time, and left alone for a while when it fails. */
import { readFile } from 'node:fs/promises';
import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  type IPolicy,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import PQueue from 'p-queue';
import type { Client, ClientConfig, Pool, PoolClient, QueryResultRow } from 'pg';

export interface DatabaseOptions {
  /** An address such as `postgres://lectern@db.example.org/lectern`, without a password. */
  readonly address: string;
  readonly passwordFile?: string | undefined;
  readonly connections: number;
}

/** An answer waits for the catalogue for this time, in ms. */
const answerMs = 900;

/** Failures in a row after which it is left alone, and for how long, in ms. */
const failuresToOpen = 3;
const openMs = 2000;

/** The tables are in a schema of their own. */
const schema = 'lectern';

const configOf = ({ address, passwordFile }: DatabaseOptions): ClientConfig => ({
  connectionString: address,
  connectionTimeoutMillis: answerMs,
  application_name: 'lectern',
  // Compiling a query takes longer than most of them.
  options: `-c search_path=${schema},public -c jit=off`,
  keepAlive: true,
  ...(passwordFile !== undefined && { password: async () => (await readFile(passwordFile, 'utf8')).trim() }),
});

/** What answers queries. */
export interface Queries {
  ask<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** Its driver is loaded with the first query. */
export class Database implements Queries {
  readonly #options: DatabaseOptions;
  readonly #breaker = circuitBreaker(handleAll, {
    halfOpenAfter: openMs,
    breaker: new ConsecutiveBreaker(failuresToOpen),
  });
  readonly #policy: IPolicy = wrap(this.#breaker, timeout(answerMs, TimeoutStrategy.Aggressive));
  /** Others find a connection meanwhile. */
  readonly #searches: PQueue;
  #pool: Promise<Pool> | undefined;
  #queries = 0;
  #failures = 0;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#searches = new PQueue({ concurrency: Math.ceil(options.connections / 2) });
  }

  /** The rows of a query for an answer. Rejects within a second, also where the database does not answer. */
  async ask<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    this.#queries += 1;
    try {
      return await this.#policy.execute(() => this.#query<Row>(text, values));
    } catch (error) {
      this.#failures += 1;
      throw error;
    }
  }

  /** The same for a search, some of which take long: the database is not left alone for that. */
  search<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    if (this.#breaker.state !== CircuitState.Closed) return this.ask(text, values);
    return this.#searches.add(() => this.#query<Row>(text, values));
  }

  /** The same for queries that no answer waits for. */
  readonly patiently: Queries = {
    ask: <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      this.use(async (client) => (await client.query<Row>(text, [...values])).rows),
  };

  /** Work on one connection that no answer waits for. Its end is not bounded. */
  async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const pool = await this.#open();
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('set statement_timeout = 0');
      const result = await work(client);
      await client.query('reset statement_timeout');
      return result;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** The same as one transaction. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.use(async (client) => {
      await client.query('begin');
      try {
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  /** A connection of its own, which is not open yet. */
  async listener(): Promise<Client> {
    const { default: pg } = await import('pg');
    return new pg.Client(configOf(this.#options));
  }

  async #query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const pool = await this.#open();
    // A connection of which nothing comes any more is given up.
    const query = { text, values: [...values], query_timeout: answerMs };
    return (await pool.query<Row>(query)).rows;
  }

  stats(): { readonly queries: number; readonly failures: number; readonly isAnswering: boolean } {
    const isAnswering = this.#breaker.state === CircuitState.Closed;
    return { queries: this.#queries, failures: this.#failures, isAnswering };
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool?.catch(() => undefined))?.end();
  }

  #open(): Promise<Pool> {
    this.#pool ??= this.#connect().catch((error: unknown) => {
      this.#pool = undefined;
      throw error;
    });
    return this.#pool;
  }

  async #connect(): Promise<Pool> {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({
      ...configOf(this.#options),
      statement_timeout: answerMs,
      max: this.#options.connections,
    });
    // A connection that is lost while nobody uses it is replaced by the next query.
    pool.on('error', () => undefined);
    return pool;
  }
}

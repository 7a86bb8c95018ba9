/** The endpoints of a store for one bucket: the first one, and where that fails the one to fall back on. */
import { BrokenCircuitError } from 'cockatiel';
import type { StoreAccess } from '../storage.ts';
import { type Asked, Endpoint, type SentRequest } from './endpoint.ts';
import { isMissing, isTransient } from './request-errors.ts';

/**
 * Whether the fallback endpoint may answer: `never`, or alone, or where the first one fails, when the function is called; then it also
 * says that something is missing. By default it gives what was asked for or nothing, which is for bytes of a known version.
 */
export type FallbackUse = 'never' | 'alone' | (() => void) | undefined;

interface EndpointsOptions extends StoreAccess {
  readonly bucket: string;
  readonly mayList?: boolean;
}

const none = (): void => undefined;

export class Endpoints {
  readonly #first: Endpoint;
  readonly #fallback: Endpoint | undefined;
  readonly #mayList: boolean;

  constructor(options: EndpointsOptions) {
    const { fallback, mayList = true } = options;
    this.#first = new Endpoint({ ...options, isFallback: false });
    this.#fallback = fallback && new Endpoint({ ...options, ...fallback, isFallback: true });
    this.#mayList = mayList;
  }

  /** Rejects as the first endpoint does, unless the other one is asked alone, or says that something is missing. */
  async run<T>(asked: Asked, request: SentRequest<T>, use: FallbackUse): Promise<T> {
    const fallback = asked.kind === 'write' ? undefined : this.#fallback;
    if (fallback === undefined || use === 'never') return this.#first.run(asked, request);
    if (use === 'alone') return fallback.run(asked, request);
    const outcome = await this.#askFirst(asked, request);
    if ('answer' in outcome) return outcome.answer;
    try {
      const answer = await fallback.run(asked, request);
      use?.();
      return answer;
    } catch (error) {
      if (use === undefined || !isMissing(error, this.#mayList)) throw outcome.failure;
      use();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#first.close();
    await this.#fallback?.close();
  }

  /** The answer of the first endpoint, or the failure for which the other one is asked. Rejects with any other error. */
  async #askFirst<T>(asked: Asked, request: SentRequest<T>) {
    const failure = this.#first.refusal(asked.kind);
    if (failure !== undefined) {
      // Nobody waits for it.
      void this.#first.probe({ ...asked, onProgress: none }, request);
      return { failure };
    }
    try {
      return { answer: await this.#first.run(asked, request) };
    } catch (error) {
      if (!isTransient(error) && !(error instanceof BrokenCircuitError)) throw error;
      return { failure: error };
    }
  }
}

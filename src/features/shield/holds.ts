/** Networks that the person on duty holds: what costs is refused to them until a time. */
import type { Hold } from '../../core/ports.ts';
import { parseNetwork } from './networks.ts';

/** Networks that are held at the same time; where there are more, the ones that end first are released. */
const maxHolds = 1000;

export class Holds {
  readonly #untilMs = new Map<string, number>();

  /** Until when a network is held, in ms since 1970; undefined where it is not. */
  until(network: string): number | undefined {
    if (this.#untilMs.size === 0) return undefined;
    const untilMs = this.#untilMs.get(network);
    if (untilMs === undefined || untilMs > Date.now()) return untilMs;
    this.#untilMs.delete(network);
    return undefined;
  }

  list(): readonly Hold[] {
    const nowMs = Date.now();
    return [...this.#untilMs].flatMap(([network, untilMs]) => (untilMs > nowMs ? [{ network, untilMs }] : []));
  }

  async hold(text: string, untilMs: number): Promise<void> {
    this.#untilMs.set(required(text), untilMs);
    if (this.#untilMs.size <= maxHolds) return;
    const [first] = [...this.#untilMs].sort(([, one], [, other]) => one - other);
    if (first !== undefined) this.#untilMs.delete(first[0]);
  }

  async release(text: string): Promise<void> {
    this.#untilMs.delete(required(text));
  }
}

function required(text: string): string {
  const network = parseNetwork(text);
  if (network === undefined) {
    const kinds = 'an address, a network of 24 bits of IPv4, or of 48 bits of IPv6';
    throw new RangeError(`${JSON.stringify(text)} must be ${kinds}`);
  }
  return network;
}

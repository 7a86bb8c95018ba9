/** Networks that the person on duty holds: what costs is refused to them until a time. */
import type { Hold } from '../../core/ports.ts';
import { parseNetwork } from './networks.ts';

/** Networks that are held at the same time; where there are more, the ones that end first are released. */
export const maxHolds = 1000;

/** Tells other servers of a change; 0 where a network is released. */
type Tell = (network: string, untilMs: number) => Promise<void>;

export class Holds {
  readonly #untilMs = new Map<string, number>();
  /** Undefined for one server alone. */
  tell: Tell | undefined;

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
    const network = required(text);
    this.#untilMs.set(network, untilMs);
    this.#bound();
    await this.tell?.(network, untilMs);
  }

  async release(text: string): Promise<void> {
    const network = required(text);
    this.#untilMs.delete(network);
    await this.tell?.(network, 0);
  }

  /** Takes on what all servers hold, as networks and ends; what is no network is left out. */
  replace(ends: readonly (readonly [string, number])[]): void {
    this.#untilMs.clear();
    for (const [text, untilMs] of ends) {
      const network = parseNetwork(text);
      if (network !== undefined && untilMs > 0) this.#untilMs.set(network, untilMs);
    }
    this.#bound();
  }

  #bound(): void {
    const excess = this.#untilMs.size - maxHolds;
    if (excess <= 0) return;
    const byEnd = [...this.#untilMs].sort(([, one], [, other]) => one - other);
    for (const [network] of byEnd.slice(0, excess)) this.#untilMs.delete(network);
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

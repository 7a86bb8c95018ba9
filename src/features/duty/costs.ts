/** Who costs what: the requests of the last minute, ten minutes and hour, summed up by network, program, kind, refusal and file. */
import type { IncomingMessage } from 'node:http';
import { type EndedRequest, isRefusal } from '../../core/http/ended-requests.ts';
import { loggableAddress, rawTargetOf } from '../../core/http/target.ts';
import { agentOf } from './agents.ts';
import { addTo, emptyTally, Tallies, type Tally } from './tallies.ts';
import { type Summable, type WindowSeconds, Windows } from './windows.ts';

/** Whom a request is of. */
export interface Caller {
  readonly network: string;
  /** The autonomous system; empty or absent where the site gives no table of them. */
  readonly system?: string;
}

/** Names of each sort that stay in one slot: whoever has at least one part in so many of the time is among them. */
const kept = 256;

/** What takes no longer is not counted by its file, in ms. */
const slowMs = 50;

/** The longest name of a file, in characters. */
const maxName = 160;

/** The sums of a slot. */
export class CostSums implements Summable<CostSums> {
  readonly total = emptyTally();
  readonly networks = new Tallies(kept);
  readonly systems = new Tallies(kept);
  readonly agents = new Tallies(kept);
  readonly kinds = new Tallies(kept);
  /** By their reason and the kind of request. */
  readonly refusals = new Tallies(kept);
  readonly files = new Tallies(kept);

  addAll(other: CostSums): void {
    addTo(this.total, other.total);
    for (const sort of ['networks', 'systems', 'agents', 'kinds', 'refusals', 'files'] as const)
      this[sort].addAll(other[sort]);
  }
}

/** The path of an image, or the address of anything else without its query. */
function fileOf({ image, request }: Pick<EndedRequest, 'image' | 'request'>): string {
  const name = image() ?? loggableAddress(rawTargetOf(request)).replace(/\?.*/s, '');
  return name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name;
}

export interface Costs {
  record(ended: EndedRequest): void;
  over(seconds: WindowSeconds): { readonly sum: CostSums; readonly seconds: number };
}

/** `callerOf` is asked for each request, `onRefusal` is called for each that was refused. */
export function createCosts(
  callerOf: (request: IncomingMessage) => Caller,
  onRefusal: (request: IncomingMessage) => void,
  now?: () => number,
): Costs {
  const windows = new Windows(() => new CostSums(), now);
  return {
    record(ended) {
      const { request, kind, error, bytes, ms, isBehind } = ended;
      const slot = windows.current();
      const { network, system } = callerOf(request);
      const agent = agentOf(request.headers['user-agent']);
      const refused = isRefusal(error) ? 1 : 0;
      const tally: Tally = { requests: isBehind ? 0 : 1, ms, bytes, refused, longestMs: ms, note: '' };
      addTo(slot.total, tally);
      slot.agents.add(agent, tally);
      slot.kinds.add(kind, tally);
      if (system) slot.systems.add(system, tally);
      if (refused === 1) {
        slot.refusals.add(`${error} ${kind}`, tally);
        onRefusal(request);
      }
      if (ms >= slowMs && kind !== 'server') slot.files.add(fileOf(ended), tally);
      tally.note = agent;
      slot.networks.add(network, tally);
    },
    over: (seconds) => windows.sumOver(seconds),
  };
}

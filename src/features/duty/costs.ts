/** Who costs what: the requests of the last minute, ten minutes and hour, summed up by network, program, kind, refusal and file. */
import type { IncomingMessage } from 'node:http';
import { type EndedRequest, isRefusal } from '../../core/http/ended-requests.ts';
import type { RequestKind } from '../../core/http/request-metrics.ts';
import { loggableAddress, rawTargetOf } from '../../core/http/target.ts';
import { agentOf } from './agents.ts';
import { addTo, emptyTally, Tallies, type Tally } from './tallies.ts';
import { type Summable, type WindowSeconds, Windows } from './windows.ts';

declare module 'net' {
  interface Socket {
    /** What the latest requests of the connection took. */
    costRun?: Run;
  }
}

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

/** Runs that a slot has at once before they are added to its sums. */
const maxRuns = 1000;

/** Requests of one caller in a row, of one kind, which are added to the sums together: most answers take no longer than that does. */
interface Run {
  readonly caller: Caller;
  readonly userAgent: string | undefined;
  readonly kind: RequestKind;
  readonly tally: Tally;
  /** Of which slot it is; undefined once it is added. */
  slot: CostSums | undefined;
}

/** The sums of a slot. */
export class CostSums implements Summable<CostSums> {
  #runs: Run[] = [];
  readonly total = emptyTally();
  readonly networks = new Tallies(kept);
  readonly systems = new Tallies(kept);
  readonly agents = new Tallies(kept);
  readonly kinds = new Tallies(kept);
  /** By their reason and the kind of request. */
  readonly refusals = new Tallies(kept);
  readonly files = new Tallies(kept);

  begin(run: Run): void {
    if (this.#runs.length >= maxRuns) this.#addRuns();
    this.#runs.push(run);
  }

  #addRuns(): void {
    for (const run of this.#runs) {
      const { caller, userAgent, kind, tally } = run;
      run.slot = undefined;
      const agent = agentOf(userAgent);
      addTo(this.total, tally);
      this.agents.add(agent, tally);
      this.kinds.add(kind, tally);
      if (caller.system) this.systems.add(caller.system, tally);
      this.networks.add(caller.network, { ...tally, note: agent });
    }
    this.#runs = [];
  }

  addAll(other: CostSums): void {
    other.#addRuns();
    addTo(this.total, other.total);
    for (const sort of ['networks', 'systems', 'agents', 'kinds', 'refusals', 'files'] as const)
      this[sort].addAll(other[sort]);
  }
}

/** The path of an image, or the address of anything else without its query. */
function fileOf(ended: EndedRequest): string {
  const name = ended.image() ?? loggableAddress(rawTargetOf(ended.request)).replace(/\?.*/s, '');
  return name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name;
}

export interface Costs {
  record(ended: EndedRequest): void;
  over(seconds: WindowSeconds): { readonly sum: CostSums; readonly seconds: number };
}

/** `callerOf` is asked for each request, and gives the same object for those of one caller; `onRefusal` is called for each that was refused. */
export function createCosts(
  callerOf: (request: IncomingMessage) => Caller,
  onRefusal: (request: IncomingMessage) => void,
  now?: () => number,
): Costs {
  const windows = new Windows(() => new CostSums(), now);

  function runOf(request: IncomingMessage, kind: RequestKind, slot: CostSums): Run {
    const { socket } = request;
    const caller = callerOf(request);
    const userAgent = request.headers['user-agent'];
    const { costRun } = socket;
    if (costRun?.slot === slot && costRun.caller === caller && costRun.kind === kind && costRun.userAgent === userAgent)
      return costRun;
    const run: Run = { caller, userAgent, kind, tally: emptyTally(), slot };
    slot.begin(run);
    socket.costRun = run;
    return run;
  }

  return {
    record(ended) {
      const { request, kind, error, bytes, ms, isBehind } = ended;
      const slot = windows.current();
      const isRefused = isRefusal(error);
      const { tally } = runOf(request, kind, slot);
      if (!isBehind) tally.requests++;
      tally.ms += ms;
      tally.bytes += bytes;
      if (ms > tally.longestMs) tally.longestMs = ms;
      if (!isRefused && ms < slowMs) return;
      const refused = isRefused ? 1 : 0;
      tally.refused += refused;
      const one: Tally = { requests: isBehind ? 0 : 1, ms, bytes, refused, longestMs: ms, note: '' };
      if (isRefused) {
        slot.refusals.add(`${error} ${kind}`, one);
        onRefusal(request);
      }
      if (ms >= slowMs && kind !== 'server') slot.files.add(fileOf(ended), one);
    },
    over: (seconds) => windows.sumOver(seconds),
  };
}

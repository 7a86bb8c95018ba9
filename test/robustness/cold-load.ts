/** Requests for tiles that no server has seen, and for answers that are cached: each is right, or says when to ask again. */
import { Agent, request } from 'node:http';

interface Answer {
  /** 0 for a connection that ended without an answer. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
  readonly ms: number;
}

/** Requests an address on a connection of its own. */
export function ask(port: number, address: string): Promise<Answer> {
  const startedMs = performance.now();
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve) => {
    const lost = (): void =>
      resolve({ status: 0, retryAfter: undefined, body: Buffer.alloc(0), ms: performance.now() - startedMs });
    const outgoing = request({ host: '127.0.0.1', port, path: address, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', lost);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          retryAfter: incoming.headers['retry-after'],
          body: Buffer.concat(chunks),
          ms: performance.now() - startedMs,
        }),
      );
    });
    outgoing.on('error', lost);
    outgoing.end();
  });
}

export interface Expected {
  readonly address: string;
  readonly body: Buffer;
}

export interface Tally {
  right: number;
  /** By status. */
  readonly refused: Record<number, number>;
  /** What no server may do, as sentences: wrong bytes, lost requests, errors without a time to ask again. */
  readonly faults: string[];
  slowestMs: number;
}

/** An error is answered within this time in ms, and within a while more where the machine is busy. */
const errorsWithinMs = 10_000;

export interface LoadOptions {
  /** The ports that are asked in turn; those of servers that are down are left out. */
  readonly ports: () => readonly number[];
  readonly next: () => Expected;
  readonly readers: number;
  /** Whether an error with a time to ask again is an answer, as for what is not cached. */
  readonly mayRefuse: boolean;
}

/** Records an answer; returns what is wrong with it, as a sentence. */
function judge({ address, body }: Expected, answer: Answer, tally: Tally, mayRefuse: boolean): string | undefined {
  const { status, retryAfter } = answer;
  tally.slowestMs = Math.max(tally.slowestMs, Math.round(answer.ms));
  if (status === 200) {
    if (!answer.body.equals(body)) return `${address}: ${answer.body.length} other bytes`;
    tally.right++;
    return undefined;
  }
  if (!mayRefuse || ![502, 503, 504].includes(status) || !/^[1-9]\d*$/.test(retryAfter ?? ''))
    return `${address}: status ${status}, ${answer.body.toString('latin1').slice(0, 100)}`;
  tally.refused[status] = (tally.refused[status] ?? 0) + 1;
  return answer.ms > errorsWithinMs ? `${address}: ${status} after ${Math.round(answer.ms)} ms` : undefined;
}

/** Sends requests until it is ended. */
export function startLoad({ ports, next, readers, mayRefuse }: LoadOptions): { end(): Promise<Tally> } {
  const tally: Tally = { right: 0, refused: {}, faults: [], slowestMs: 0 };
  let isOver = false;
  let turn = 0;
  const reader = async (): Promise<void> => {
    while (!isOver) {
      const expected = next();
      const all = ports();
      const port = all[turn++ % all.length] ?? 0;
      const answer = await ask(port, expected.address);
      // A server that was killed meanwhile gives none.
      const isKilled = answer.status === 0 && !ports().includes(port);
      const fault = isKilled ? undefined : judge(expected, answer, tally, mayRefuse);
      if (fault !== undefined) tally.faults.push(fault);
      await new Promise((resolve) => setTimeout(resolve, answer.status === 200 ? 30 : 60));
    }
  };
  const running = Array.from({ length: readers }, reader);
  return {
    async end() {
      isOver = true;
      await Promise.all(running);
      return tally;
    },
  };
}

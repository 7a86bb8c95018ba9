/** Requests to a confined server, with their times and with the memory that its render processes need for them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { ConfinedServer } from '../fixtures/confined-server.ts';

export const MiB = 2 ** 20;

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** From the request to the last byte. */
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Rejects after a minute without an answer. */
export function ask(server: Pick<ConfinedServer, 'url'>, address: string): Promise<Answer> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(`${server.url}${address}`, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), ms: performance.now() - start }),
      );
    });
    request.setTimeout(60_000, () => request.destroy(new Error(`no answer to ${address}`)));
    request.on('error', reject);
  });
}

/** Forgets the most that the processes used so far (proc(5), clear_refs). */
export function resetPeaks(ids: readonly number[]): void {
  for (const id of ids) {
    try {
      writeFileSync(`/proc/${id}/clear_refs`, '5');
    } catch {
      // It has ended; its successor begins anew.
    }
  }
}

/** The most that one of the processes has used since then, in bytes. */
export function peakOf(ids: readonly number[]): number {
  const peaks = ids.map((id) => {
    try {
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...peaks);
}

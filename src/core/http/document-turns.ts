/** Long documents are written one after the other: their number must fill neither the memory nor the server's time. */

import type { OutgoingBytes } from '../answers/outgoing-bytes.ts';
import { ImageError } from '../image/model/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly documentTurn: DocumentTurn;
  }
}

/**
 * Resolves when it is a request's turn to write its document, which it has to do at once, and send. Other requests are read
 * and answered between two turns. Throws ImageError `overloaded` where there is no room for the document, and `abandoned`
 * where the client has gone.
 */
export type DocumentTurn = (signal: AbortSignal) => Promise<void>;

/** Room that there has to be for a document, whose size is known only when it is written. */
const documentBytes = 2 ** 20;

export function createDocumentTurns(outgoing: OutgoingBytes): DocumentTurn {
  const waiting = new Set<() => void>();
  let isScheduled = false;

  function beginNext(): void {
    const [begin] = waiting;
    isScheduled = begin !== undefined;
    if (begin === undefined) return;
    waiting.delete(begin);
    begin();
    setImmediate(beginNext);
  }

  function turn(): Promise<void> {
    return new Promise((resolve) => {
      waiting.add(resolve);
      if (!isScheduled) setImmediate(beginNext);
      isScheduled = true;
    });
  }

  return async (signal) => {
    const share = await outgoing.reserve(documentBytes, signal);
    await turn();
    share.release();
    if (signal.aborted) throw new ImageError('abandoned', 'The request was given up.');
    const { bytes, maxBytes } = outgoing.load();
    if (bytes < maxBytes) return;
    throw new ImageError('overloaded', 'The server is sending as much as it can hold; try again in a few seconds.');
  };
}

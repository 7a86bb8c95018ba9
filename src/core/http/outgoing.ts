/** Connects the responses with the ledger of bytes that wait to be sent; long documents are written one after the other. */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutgoingBytes, Share } from '../answers/outgoing-bytes.ts';
import { ImageError } from '../image/model/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly outgoing: OutgoingBytes;
    readonly documentTurn: DocumentTurn;
  }
}

/** Counts bytes until the response is with the system to its last byte, or its connection is closed. */
export function releaseWhenSent(share: Share, response: ServerResponse): void {
  if (response.destroyed || response.writableFinished) share.release();
  else response.once('close', share.release);
}

/** Counts the body of a response that was written, where a part of it still waits in this process. */
export function holdUnsent(body: Buffer, response: ServerResponse, outgoing: OutgoingBytes): void {
  if (response.socket !== null && response.socket.writableLength > 0) releaseWhenSent(outgoing.hold(body), response);
}

/**
 * Resolves when it is a request's turn to write its document, which it has to do at once, and send. Other requests are read
 * and answered between two turns. Throws ImageError `overloaded` where there is no room for the document, and `abandoned`
 * where the client has gone.
 */
type DocumentTurn = (signal: AbortSignal) => Promise<void>;

/** Room that there has to be for a document, whose size is known only when it is written. */
const documentBytes = 2 ** 20;

export function createDocumentTurns(outgoing: OutgoingBytes): DocumentTurn {
  let last = Promise.resolve();
  return async (signal) => {
    const share = await outgoing.reserve(documentBytes, signal);
    last = last.then(() => nextTurn());
    await last;
    share.release();
    if (signal.aborted) throw new ImageError('abandoned', 'The request was given up.');
    const { bytes, maxBytes } = outgoing.load();
    if (bytes < maxBytes) return;
    throw new ImageError('overloaded', 'The server is sending as much as it can hold; try again in a few seconds.');
  };
}

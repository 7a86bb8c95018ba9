/** Connects the responses with the ledger of bytes that wait to be sent. */
import type { ServerResponse } from 'node:http';
import type { OutgoingBytes, Share } from '../answers/outgoing-bytes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly outgoing: OutgoingBytes;
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

/** The id of a request, by which the lines of logs and an error that someone reports belong together. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TrustedProxies } from './origin.ts';

const requestId = Symbol('request id');

interface Identified extends IncomingMessage {
  [requestId]?: string;
}

/** What a proxy may send: neither a quote nor a space, and not long, since logs repeat it. */
const wellFormed = /^[\w.:/+=@-]{1,128}$/;

/** Different for each start of the server. */
const start = randomBytes(6).toString('base64url');
let count = 0;

/** The id that a trusted proxy sent as `X-Request-Id`, or else one of our own; always the same for the same request. */
export function requestIdOf(request: Identified, trusted: TrustedProxies): string {
  const known = request[requestId];
  if (known !== undefined) return known;
  const sent = request.headers['x-request-id'];
  const isUsable = typeof sent === 'string' && wellFormed.test(sent) && trusted(request.socket.remoteAddress);
  const id = isUsable ? sent : `${start}-${(++count).toString(36)}`;
  request[requestId] = id;
  return id;
}

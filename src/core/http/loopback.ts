/** Whether a request comes from this machine itself. */
import type { IncomingMessage } from 'node:http';
import { isForwarded } from './origin.ts';

export const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address);

/** With DNS rebinding, a page of the web reaches this machine under the name of another host. */
const namesLoopback = (host: string | undefined): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(host ?? '');

/** Whether the request comes from this machine and was not forwarded; proxies without forwarding headers mostly use HTTP 1.0. */
export const isDirectFromLoopback = (request: IncomingMessage): boolean =>
  request.httpVersion === '1.1' &&
  isLoopback(request.socket.remoteAddress ?? '') &&
  namesLoopback(request.headers.host) &&
  !isForwarded(request);

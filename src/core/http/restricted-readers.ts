/** Keeps foreign pages from reading, in a browser inside of a network, what only the browser's address opens. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Callers } from './callers.ts';
import { type HeaderList, isPrivate } from './representation.ts';

/** Requests for what everyone may see although it is answered anew each time. */
const open = new WeakSet<IncomingMessage>();

/** Says that the answer to a request is the same for everyone. */
export const markOpen = (request: IncomingMessage): void => void open.add(request);

export const isMarkedOpen = (request: IncomingMessage): boolean => open.has(request);

/** The common headers of an answer that only these readers' pages may read; the first of them says that all may. */
export function headersForReaders(readers: string | undefined, [, , ...others]: HeaderList): HeaderList {
  return [...(readers === undefined ? [] : ['access-control-allow-origin', readers]), 'vary', 'Origin', ...others];
}

/** Restricts the readers of answers that not everyone may see. */
export function addRestrictedReaders(server: FastifyInstance, callers: Callers): void {
  server.addHook('onSend', (request, reply, _payload, next) => {
    const readers = isMarkedOpen(request.raw) ? '*' : callers.readersOf(request.raw);
    if (readers !== '*' && reply.statusCode < 400 && isPrivate(reply.getHeader('cache-control'))) {
      reply.removeHeader('access-control-allow-origin');
      if (readers !== undefined) reply.header('access-control-allow-origin', readers);
      const vary = reply.getHeader('vary');
      reply.header('vary', vary === undefined ? 'Origin' : `${String(vary)}, Origin`);
    }
    next();
  });
}

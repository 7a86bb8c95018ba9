/** Answers the pipelined requests of a connection one at a time: none is begun before the response before it is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** With this many waiting requests, no more are read from the connection. */
const pausedFrom = 16;

/** One packet can hold more than that. A connection with more waiting requests is closed. */
const maxWaitingEach = 1000;

/** Maximum number of waiting requests of all connections together, each of which takes some kilobytes. */
const maxWaiting = 10_000;

export interface Turns {
  /** Called with a connection that has sent too many requests ahead. */
  readonly onFlood: (socket: Socket) => void;
  /** Whether requests that wait are still to be answered; a connection is closed instead of beginning one that is not. */
  readonly mayBegin: () => boolean;
}

/** The handler, with a queue before it for requests that arrive while their connection is still answering another one. */
export function oneAtATime(handler: RequestHandler, { onFlood, mayBegin }: Turns): RequestHandler {
  const queues = new WeakMap<Socket, { length: number }>();
  let waiting = 0;

  function queueOf(socket: Socket): { length: number } {
    const existing = queues.get(socket);
    if (existing !== undefined) return existing;
    const added = { length: 0 };
    queues.set(socket, added);
    socket.once('close', () => {
      waiting -= added.length;
    });
    return added;
  }

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const queue = queueOf(socket);
    queue.length++;
    waiting++;
    if (queue.length > maxWaitingEach || waiting > maxWaiting) {
      onFlood(socket);
      return;
    }
    if (queue.length === pausedFrom) socket.pause();
    const begin = (): void => {
      if (socket.destroyed) return;
      queue.length--;
      waiting--;
      // Node reads on after each response.
      if (queue.length < pausedFrom) socket.resume();
      else socket.pause();
      if (mayBegin()) handler(request, response);
      else socket.destroySoon();
    };
    // Node gives a response its socket when the one before it was handed to the system to its last byte.
    response.once('socket', () => process.nextTick(begin));
  }

  return (request, response) => {
    if (response.socket === null) wait(request, response);
    else handler(request, response);
  };
}

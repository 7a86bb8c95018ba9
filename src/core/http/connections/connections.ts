/**
 * The open connections of the server: how many there may be, how long they may stall, and how they end when the server stops.
 * The pipelined requests of a connection are answered one at a time: none is begun before the response before it is sent.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

declare module 'net' {
  interface Socket {
    /** The response to the latest request of a connection that was begun; it may be complete. */
    latestResponse?: ServerResponse;
  }
}

/** A client that reads nothing of what is sent to it, or sends nothing more, is cut off after this time, in ms. */
const stalledAfterMs = 12_000;

interface ConnectionRules {
  /** Maximum number of open connections. */
  readonly maxConnections: number;
  /** Called with a sentence for each connection that is cut off. */
  readonly onCut: (reason: string) => void;
}

interface ConnectionLoad {
  readonly open: number;
  /** Connections that were closed since the start: those beyond the maximum, and those whose clients stopped reading. */
  readonly dropped: number;
  readonly stalled: number;
  readonly isDraining: boolean;
}

export interface Connections {
  /** Puts the rules for one connection before a handler. */
  inTurn(handler: RequestHandler): RequestHandler;
  /** Applies the rules to a server that has not begun to listen. */
  supervise(server: Server): void;
  load(): ConnectionLoad;
  /**
   * Closes idle connections and half-sent requests at once, and each other one when its response is complete. Those that
   * are left after `limitMs` are cut.
   */
  drain(limitMs: number): void;
}

/** Whether a response was begun on the connection that is not yet with the system to its last byte. */
const isResponding = ({ latestResponse }: Socket): boolean =>
  latestResponse !== undefined && !latestResponse.writableFinished;

export function createConnections({ maxConnections, onCut }: ConnectionRules): Connections {
  const sockets = new Set<Socket>();
  let dropped = 0;
  let stalled = 0;
  let isDraining = false;

  function drop(socket: Socket, reason: string): void {
    dropped++;
    onCut(reason);
    // Before the event of its end, which comes only after all connections that are accepted at this moment.
    sockets.delete(socket);
    socket.destroy();
  }

  /** Beyond the maximum, the connection that has been idle gives way, or else the new one. */
  function makeRoomFor(added: Socket): void {
    for (const socket of sockets) {
      if (isResponding(socket) || socket === added) continue;
      drop(socket, 'Connections that were idle were closed: clients have opened more than http.maxConnections.');
      return;
    }
    drop(added, 'Connections were refused: http.maxConnections of them are being answered.');
  }

  function add(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (isDraining) socket.destroy();
    else if (sockets.size > maxConnections) makeRoomFor(socket);
  }

  /** Node calls this when nothing was sent or received for `stalledAfterMs`, also between two requests. */
  function endStalled(socket: Socket): void {
    if (socket.writableLength === 0 && isResponding(socket)) return;
    if (socket.writableLength > 0) {
      stalled++;
      onCut('Connections were cut off: their clients did not read what was sent to them.');
    }
    socket.destroy();
  }

  return {
    inTurn: (handler) =>
      oneAtATime(
        (request, response) => {
          request.socket.latestResponse = response;
          handler(request, response);
        },
        {
          onFlood: (socket) => drop(socket, 'Connections were closed: their clients sent too many requests ahead.'),
          mayBegin: () => !isDraining,
        },
      ),
    supervise(server) {
      server.setTimeout(stalledAfterMs, endStalled);
      server.on('connection', add);
    },
    load: () => ({ open: sockets.size, dropped, stalled, isDraining }),
    drain(limitMs) {
      isDraining = true;
      for (const socket of sockets) {
        if (isResponding(socket)) endAfterResponse(socket);
        else socket.destroy();
      }
      setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, limitMs).unref();
    },
  };
}

function endAfterResponse(socket: Socket): void {
  const { latestResponse } = socket;
  if (latestResponse === undefined) return;
  if (!latestResponse.headersSent) latestResponse.shouldKeepAlive = false;
  latestResponse.once('close', () => socket.destroySoon());
}

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

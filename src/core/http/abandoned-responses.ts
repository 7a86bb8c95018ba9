/** Clients that go away before a response is complete. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The callbacks of all requests on one socket, called by a single listener when it closes. */
const callbacksOnClose = new WeakMap<Socket, Set<() => void>>();

function callbacksOf(socket: Socket): Set<() => void> {
  const existing = callbacksOnClose.get(socket);
  if (existing !== undefined) return existing;
  const added = new Set<() => void>();
  callbacksOnClose.set(socket, added);
  socket.once('close', () => {
    for (const callback of added) callback();
  });
  return added;
}

/** A response that is tried again, since a file was replaced meanwhile, has one signal. */
const signals = new WeakMap<ServerResponse, AbortSignal>();

/**
 * A signal that aborts when the client goes away before the response is complete, or has gone already. It listens to the
 * socket, since Node emits no `close` for responses that wait behind others on it.
 */
export function whenAbandoned({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const existing = signals.get(response);
  if (existing !== undefined) return existing;
  const controller = new AbortController();
  signals.set(response, controller.signal);
  if (socket.destroyed) {
    controller.abort();
    return controller.signal;
  }
  const callbacks = callbacksOf(socket);
  const close = (): void => {
    callbacks.delete(close);
    if (!response.writableFinished) controller.abort();
  };
  callbacks.add(close);
  response.once('close', close);
  return controller.signal;
}

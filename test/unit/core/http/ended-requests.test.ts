import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addPage, type EndedRequest, withEnds } from '../../../../src/core/http/ended-requests.ts';
import { recordStage } from '../../../../src/core/http/request-context.ts';

interface Answered {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What was told. */
const ended: EndedRequest[] = [];
beforeEach(() => void ended.splice(0));

/** A request whose handler takes one ms at once; `then` comes before the answer has ended. */
function endOf(then: (answered: Answered) => void, handler: (answered: Answered) => void = () => undefined) {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(100);
  const socket = { remoteAddress: '198.51.100.7', bytesWritten: 500, answeredBytes: 500 };
  const request = { socket } as unknown as IncomingMessage;
  const response = Object.assign(new EventEmitter(), {
    statusCode: 200,
    writableFinished: true,
  }) as never as ServerResponse;
  withEnds(
    (one) => ended.push(one),
    () => 'book/p1.tif',
    () => {
      handler({ request, response });
      clock.mockReturnValue(101);
    },
  )(request, response);
  then({ request, response });
  socket.bytesWritten += 1000;
  response.emit('close');
  clock.mockRestore();
  return { request };
}

describe('an ended request', () => {
  it('that was answered at once costs the time of that, and is told once, at once', () => {
    const told = vi.fn();
    endOf(
      () => told(ended.length),
      ({ request, response }) => {
        request.kindOf = () => 'info-json';
        Object.assign(request.socket, { bytesWritten: 1700 });
        Object.assign(response, { writableEnded: true, statusCode: 304 });
      },
    );
    expect(told).toHaveBeenCalledWith(1);
    expect(ended).toMatchObject([
      { kind: 'info-json', status: 304, bytes: 1200, ms: 1, error: undefined, isBehind: false },
    ]);
    expect(ended[0]?.image()).toBe('book/p1.tif');
  });

  it.each<[string, number, (answered: Answered) => void]>([
    [
      'of a rendered picture costs its rendering, not its wait',
      51,
      ({ request }) => {
        recordStage(request, 'queue', 7000);
        recordStage(request, 'render', 50);
        request.writtenMs = 7200;
      },
    ],
    ['of anything else costs the time until its first byte', 80, ({ request }) => (request.writtenMs = 180)],
    [
      'that was refused after a wait costs what was done at once',
      1,
      ({ request }) => Object.assign(request, { writtenMs: 8100, errorCode: 'overloaded' }),
    ],
    [
      'that was given up costs what was done at once',
      1,
      ({ response }) => Object.assign(response, { writableFinished: false }),
    ],
    [
      'of a document costs its pages',
      301,
      ({ request }) => {
        for (const ms of [100, 200]) addPage(request, ms);
        request.writtenMs = 9000;
      },
    ],
  ])('%s', (_, ms, then) => {
    endOf(then);
    expect(ended).toMatchObject([{ ms }]);
  });

  it('that nobody waited for has the status of those', () => {
    endOf(({ response }) => Object.assign(response, { writableFinished: false }));
    expect(ended).toMatchObject([{ status: 499, kind: 'other' }]);
  });

  it('for a document goes on costing while pages are made behind its answer', () => {
    const { request } = endOf(({ request: asked }) => {
      asked.kindOf = () => 'document';
    });
    addPage(request, 250);
    expect(ended).toMatchObject([
      { ms: 1, isBehind: false },
      { kind: 'document', ms: 250, bytes: 0, isBehind: true },
    ]);
  });
});

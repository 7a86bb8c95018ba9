/** How long the stages of requests took: for the histograms, and for the client in `Server-Timing`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Measures, stages } from './measures.ts';
import { arrivalMsOf, recordStage } from './request-context.ts';

/** Records the stages of a request when its response, whose headers are written or about to be, has ended. */
export function recordStages(
  request: IncomingMessage,
  response: ServerResponse,
  { observe }: Pick<Measures, 'observe'>,
): void {
  const writtenMs = performance.now();
  response.once('close', () => {
    const endMs = performance.now();
    recordStage(request, 'send', endMs - writtenMs);
    recordStage(request, 'total', endMs - arrivalMsOf(request));
    for (const stage of stages) {
      const ms = request.stageMs?.[stage];
      if (ms !== undefined) observe(stage, ms);
    }
  });
}

const shownStages = ['admission', 'queue', 'render'] as const;

/** The `Server-Timing` of a rendered picture (https://www.w3.org/TR/server-timing/); undefined for all other answers. */
export function serverTimingOf({ stageMs }: IncomingMessage): string | undefined {
  if (stageMs?.render === undefined) return undefined;
  return shownStages
    .flatMap((stage) => (stageMs[stage] === undefined ? [] : [`${stage};dur=${stageMs[stage].toFixed(1)}`]))
    .join(', ');
}

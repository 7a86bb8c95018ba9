/** Who shares the render queue with whom: known callers alone, readers by their networks, and all strangers together. */
import type { IncomingMessage } from 'node:http';
import type { RequestShares } from '../../core/feature.ts';
import { arrivalMsOf, type Shares, type WorkKind } from '../../core/http/request-context.ts';
import type { Standing } from '../../core/ports.ts';
import type { Asking, CallersOfShield } from './asking.ts';
import type { Payments } from './payments.ts';
import { isReadingDocument, type ReadingPatterns } from './reading-patterns.ts';

/**
 * Programs that ask as viewers do, or do so once, have networks without end; beside these each reader who looks at what it asked for
 * would get next to nothing. All who never pause get as much as some readers who do, and so do all who have just begun.
 */
const togetherWeight = 2;

/** Whoever has less than others gets what these leave (`task-queue.ts`), and this part of what one of them gets where both wait. */
const strangersWeight = 0.25;

interface SharesParts {
  readonly callers: CallersOfShield;
  readonly patterns: ReadingPatterns;
  readonly payments: Payments;
  /** Called for each picture that is made for a caller. */
  readonly count: (standing: Standing) => void;
  /** Called with the time in ms in which one was made for others than strangers. */
  readonly noteNeed: (ms: number) => void;
}

export function createShares(parts: SharesParts): RequestShares {
  const { callers, patterns, payments, count, noteNeed } = parts;
  const onRendered = ({ renderMs }: { readonly renderMs: number }): void => noteNeed(renderMs);

  function sharesOf({ standing, name, network, system, isNew, isWithoutPause }: Asking, work: WorkKind): Shares {
    if (standing === 'known') return { groups: name === undefined ? [] : [name], weight: 1, onRendered };
    if (isWithoutPause) return { groups: ['readers without a pause', network], weight: togetherWeight, onRendered };
    if (isNew) return { groups: ['new readers', network], weight: togetherWeight, onRendered };
    if (standing === 'reader') return { groups: [`reader ${network}`], weight: 1, onRendered };
    const networks = system === undefined ? [network] : [system, network];
    // The crowd would push out the pages of documents, of which one that is missing ends the whole.
    const group = work === 'document' ? 'documents of strangers' : 'strangers';
    return { groups: [group, ...networks], weight: strangersWeight };
  }

  return {
    observe(request: IncomingMessage) {
      const { url = '' } = request;
      if (isReadingDocument(url)) patterns.noteDocument(callers.clientOf(request), url, arrivalMsOf(request));
    },
    of(request, isKnown, work) {
      const asking = work === 'picture' ? callers.ofPicture(request, isKnown) : callers.of(request, isKnown);
      if (work === 'picture') count(asking.standing);
      const shares = sharesOf(asking, work);
      if (asking.standing === 'known') return shares;
      const refusal = payments.refusalOf(asking);
      return { ...shares, paysPyramid: (ms) => payments.takeNow(asking, { ms }), ...(refusal && { refusal }) };
    },
    pay: (request, isKnown, cost) => payments.take(callers.of(request, isKnown), cost),
  };
}

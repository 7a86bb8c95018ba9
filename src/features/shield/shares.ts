/** Who shares the render queue with whom: known callers alone, readers by their networks, and all strangers together. */
import type { IncomingMessage } from 'node:http';
import type { RequestShares } from '../../core/feature.ts';
import type { Standing } from '../../core/ports.ts';
import type { Asking, CallersOfShield } from './asking.ts';
import type { Holds } from './holds.ts';
import { isReadingDocument, type ReadingPatterns } from './reading-patterns.ts';
import { heldUntil } from './refusals.ts';
import type { Shield } from './shield-settings.ts';

interface SharesParts {
  readonly shield: Pick<Shield, 'strangersWeight'>;
  readonly callers: CallersOfShield;
  readonly patterns: ReadingPatterns;
  readonly holds: Pick<Holds, 'until'>;
  /** Called for each picture that is made for a caller. */
  readonly count: (standing: Standing) => void;
}

export function createShares({ shield, callers, patterns, holds, count }: SharesParts): RequestShares {
  function sharesOf({ standing, name, network }: Asking) {
    if (standing === 'known') return { groups: name === undefined ? [] : [name], weight: 1 };
    if (standing === 'reader') return { groups: [`reader ${network}`], weight: 1 };
    return { groups: ['strangers', network], weight: shield.strangersWeight };
  }

  return {
    observe(request: IncomingMessage) {
      const { url = '' } = request;
      if (isReadingDocument(url)) patterns.noteDocument(callers.clientOf(request));
    },
    of(request, isKnown) {
      const asking = callers.ofPicture(request, isKnown);
      count(asking.standing);
      const untilMs = asking.standing === 'known' ? undefined : holds.until(asking.network);
      return { ...sharesOf(asking), ...(untilMs !== undefined && { refusal: heldUntil(untilMs) }) };
    },
  };
}

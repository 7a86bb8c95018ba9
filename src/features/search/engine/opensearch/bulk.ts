/** Writes many pages to an OpenSearch at once: in parts that it takes, again those that it refuses while it is busy. */
import { setTimeout as pause } from 'node:timers/promises';
import { SearchEngineError } from '../search-engine.ts';
import { type Client, faultOf, isFault, typeOf } from './client.ts';

/** A page that is stored or deleted. */
export interface Action {
  /** Its lines of JSON, each with its end. */
  readonly lines: string;
  readonly isDeletion: boolean;
}

/** Hosted services and proxies refuse requests above 10 MB, some above 1 MB: then a part is halved. */
const partLength = 4 * 2 ** 20;

/** Too many requests, and what a proxy or a cluster without its primary shards answers for a while. */
const isPassing = (status: number): boolean => [429, 502, 503, 504].includes(status);

function partsOf(actions: readonly Action[]): readonly (readonly Action[])[] {
  const parts: Action[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const action of actions) {
    length += action.lines.length;
    if (length > partLength) {
      parts.push([]);
      length = action.lines.length;
    }
    parts.at(-1)?.push(action);
  }
  return parts;
}

interface Item {
  readonly status: number;
  readonly error?: unknown;
}

interface Outcome {
  /** May be written a little later. */
  readonly refused: readonly Action[];
  readonly fault: SearchEngineError | undefined;
}

/** What became of each action: an answer of status 200 may have refused some. */
function outcomeOf(part: readonly Action[], items: readonly Readonly<Record<string, Item>>[]): Outcome {
  if (items.length !== part.length)
    return { refused: [], fault: new SearchEngineError('The search engine does not say what it stored.') };
  const refused: Action[] = [];
  let fault: SearchEngineError | undefined;
  for (const [index, action] of part.entries()) {
    const [item = { status: 500 }] = Object.values(items[index] ?? {});
    const { status, error } = item;
    if (status < 400 || (action.isDeletion && status === 404)) continue;
    const errorType = typeOf(error);
    if (isPassing(status)) refused.push(action);
    else fault ??= faultOf({ status, ...(errorType === undefined ? {} : { errorType }) });
  }
  return { refused, fault };
}

/** Writes pages; rejects where some could not be written, while the others are. */
export function createBulkWriter(client: Client, path: string, pausesMs: readonly number[] = [500, 2000, 8000]) {
  async function writePart(part: readonly Action[], attempt = 0): Promise<void> {
    const body = part.map(({ lines }) => lines).join('');
    const answer = await client({ method: 'POST', path, body, isWriting: true });
    if (answer.status === 413 && part.length > 1) {
      const half = part.length >> 1;
      await writePart(part.slice(0, half), attempt);
      return writePart(part.slice(half), attempt);
    }
    if (isFault(answer) && !isPassing(answer.status)) throw faultOf(answer);
    const items = (answer.body['items'] ?? []) as readonly Readonly<Record<string, Item>>[];
    const { refused, fault } = isFault(answer) ? { refused: part, fault: undefined } : outcomeOf(part, items);
    if (fault !== undefined) throw fault;
    if (refused.length === 0) return;
    const pauseMs = pausesMs[attempt];
    if (pauseMs === undefined) throw isFault(answer) ? faultOf(answer) : faultOf({ status: 429 });
    await pause(pauseMs);
    return writePart(refused, attempt + 1);
  }
  return async (actions: readonly Action[]): Promise<void> => {
    for (const part of partsOf(actions)) await writePart(part);
  };
}

/** Finds guided views by their source: in the library, in an address, in this browser, or in annotations of others. */
import { encodePath } from '../../../../src/core/image/addresses/folder-address.ts';
import { parseTour, type Tour, tourEnding } from '../../../../src/core/image/tour/tour.ts';
import { fetchJson } from '../../data/fetch.ts';
import type { FoundTour } from './annotation-tour.ts';
import { drafts } from './drafts.ts';
import { isPacked, unpackTour } from './tour-text.ts';

/** The source of guided views that are only in this browser, by their id. */
export const ownSource = (id: string): string => `own:${id}`;

const foundOr = (tour: Tour | undefined, problem: 'only-here' | 'none'): FoundTour =>
  tour === undefined ? { ok: false, problem } : { ok: true, tour };

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

export async function loadTour(source: string, signal?: AbortSignal): Promise<FoundTour> {
  if (isPacked(source)) return foundOr(await unpackTour(source), 'none');
  if (source.startsWith('own:')) {
    const own = drafts.peek().find(({ id }) => ownSource(id) === source);
    return foundOr(own?.tour, 'only-here');
  }
  if (/^https?:\/\//i.test(source)) return (await import('./annotation-tour.ts')).tourAt(source, signal);
  if (!source.endsWith(tourEnding)) return { ok: false, problem: 'not-found' };
  const answer = await fetchJson(`tours/${encodePath(source)}`, signal, 'no-cache');
  return answer.ok ? foundOr(parseTour(answer.value, folderOf(source)), 'none') : answer;
}

/** Lays images and details on the light table from other pages. */
import { lightTableRoute } from '../../model/address/routes.ts';
import type { Source } from '../../model/light-table/table.ts';
import { parseTable, tablePairs, withSources } from '../../model/light-table/table-query.ts';
import { goTo, page } from '../route.ts';
import { addWaiting, lastTable, table } from './table.ts';

/** Adds to the table that is open, or to the one that was open last. */
export function addToTable(sources: readonly Source[]): void {
  if (page.peek().kind === 'light-table') addWaiting(withSources(table.peek(), sources));
  else goTo(lightTableRoute(tablePairs(withSources({ ...parseTable(lastTable()), view: undefined }, sources))));
}

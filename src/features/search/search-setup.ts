/** Opens the index of texts as the settings say: for searches of the server, and for the process that writes it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { userCacheDirectory } from '../../config/cache-directory.ts';
import { imageFolders } from '../../config/groups/library-settings.ts';
import { createOpenSearchEngine } from './engine/opensearch/opensearch-engine.ts';
import type { SearchEngine } from './engine/search-engine.ts';
import { indexFileName } from './engine/sqlite/index-file-name.ts';
import { createSqliteEngine, hasSearchProgram, type SqliteEngine } from './engine/sqlite/sqlite-engine.ts';
import type { SearchSettings } from './search-settings.ts';
import { IndexedTextSearch, type TextSearch, type TextSearchParts } from './search-texts.ts';

/** The folder of the index: by default another one for each library, since the index has the paths of its pages. */
export function searchFolder({ search, library }: SearchSettings): string {
  if (search.directory !== undefined) return search.directory;
  const name = createHash('sha256')
    .update(JSON.stringify(imageFolders(library)))
    .digest('hex')
    .slice(0, 16);
  return path.join(userCacheDirectory(), 'search', name);
}

function openRemote({
  address,
  index,
  authorizationFile,
}: NonNullable<SearchSettings['search']['openSearch']>): SearchEngine {
  const authorization = authorizationFile && readFileSync(authorizationFile, 'utf8').trim();
  return createOpenSearchEngine({ address, index, authorization });
}

/** The index for searches; undefined where the settings switch it off. Nothing is read before the first search. */
export function openSearchReader(settings: SearchSettings): SearchEngine | undefined {
  const { enabled, maxBytes, openSearch } = settings.search;
  if (!enabled) return undefined;
  if (openSearch !== undefined) return openRemote(openSearch);
  if (!hasSearchProgram()) return undefined;
  return createSqliteEngine({ directory: searchFolder(settings), maxBytes, isReadOnly: true });
}

/** A search that fails again is logged again after this time, in ms. */
const logAgainMs = 60_000;

/** The search in texts; undefined where the settings switch it off. */
export function createTextSearchOf(
  settings: SearchSettings,
  { search: engine }: { readonly search: SearchEngine | undefined },
  parts: Omit<TextSearchParts, 'engine' | 'onFault'>,
  logger: Logger,
): TextSearch | undefined {
  if (engine === undefined) return undefined;
  const file = path.join(searchFolder(settings), indexFileName);
  let loggedAtMs = 0;
  const onFault = (reason: string): void => {
    if (Date.now() - loggedAtMs < logAgainMs) return;
    loggedAtMs = Date.now();
    logger.warn({ reason }, 'texts can’t be searched');
  };
  const search = new IndexedTextSearch({ ...parts, engine, onFault });
  // No process is started for an index that nobody has made.
  const isMade = (): boolean => settings.search.openSearch !== undefined || existsSync(file);
  return {
    find: async (query, caller) => (isMade() ? search.find(query, caller) : undefined),
    complete: async (begun, scope, caller) => (isMade() ? search.complete(begun, scope, caller) : undefined),
  };
}

/** An engine that is written. */
export interface SearchWriter {
  readonly engine: SearchEngine;
  /** Makes the index smaller and quicker after many writes. */
  readonly optimize: () => Promise<void>;
}

/** The index for writing. */
export function openSearchWriter(settings: SearchSettings): SearchWriter {
  const { maxBytes, openSearch } = settings.search;
  if (openSearch !== undefined) return { engine: openRemote(openSearch), optimize: async () => undefined };
  const engine: SqliteEngine = createSqliteEngine({ directory: searchFolder(settings), maxBytes });
  return { engine, optimize: () => engine.optimize() };
}

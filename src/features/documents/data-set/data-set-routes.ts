/** `GET {base_url}/dataset/{folder}.zip`: the data set of a folder, which is made once and kept. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { whenAbandoned } from '../../../core/http/abandoned-responses.ts';
import { addRoutes } from '../../../core/http/add-routes.ts';
import type { Callers } from '../../../core/http/callers.ts';
import { retryWhileReplaced } from '../../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../../core/http/target.ts';
import { encodePath } from '../../../core/image/addresses/folder-address.ts';
import { ImageError } from '../../../core/image/model/errors.ts';
import { folderOf } from '../document-request.ts';
import type { DocumentProgress } from '../pdf/document-store.ts';
import { dispositionOf, makeDocument, openFolderOf, type SendingParts, sendKept } from '../send-document-file.ts';
import type { DataSets, PreparedDataSet } from './data-sets.ts';

export interface DataSetRoutesParts extends SendingParts {
  readonly dataSets: DataSets;
  readonly callers: Pick<Callers, 'callerOf'>;
  readonly contextPath: string;
  /** A request waits so long for a data set that is being made, in ms. */
  readonly deadlineMs: number;
}

/** The address of the data set of a folder, by the address below which everything is. */
export const dataSetAddress = (base: string, path: string): string => `${base}dataset/${encodePath(path)}.zip`;

/** Whoever was told to come again comes within this time, in ms; otherwise what is being made is abandoned. */
const askAgainMs = 600_000;

/** Clients are told to come again in a time between these, in seconds. */
const [shortestRetryS, longestRetryS] = [2, 120];

/** About how many pages are made in a second. */
const pagesPerS = 4;

function beingMade(progress: DocumentProgress, { pages }: PreparedDataSet): ImageError {
  const made = progress.kind === 'making' ? progress.pages : 0;
  const wait = Math.ceil((pages - made) / pagesPerS);
  const retryAfterS = Math.min(longestRetryS, Math.max(shortestRetryS, wait));
  const message = `The data set is being made, ${made} of ${pages} pages; ask again in ${retryAfterS} s.`;
  return new ImageError('being-read', message, { retryAfterS });
}

/** Resolves to how far a data set is that was made as long as a request waits. Throws where it could not be made. */
async function made(
  dataSet: PreparedDataSet,
  parts: DataSetRoutesParts,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<DocumentProgress> {
  const { documentStore, deadlineMs } = parts;
  const before = await documentStore.progress(dataSet.key);
  if (before.kind === 'done') return before;
  if (before.kind === 'failed') throw before.error;
  const making = await makeDocument(dataSet, parts, request, 'in-background');
  making.waitFor(askAgainMs);
  await Promise.race([making.done, pause(deadlineMs, undefined, { signal, ref: false }).catch(() => undefined)]);
  return documentStore.progress(dataSet.key);
}

async function serve(parts: DataSetRoutesParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = folderOf(pathBehind(targetOf(request.raw).path, segmentsOf(parts.contextPath) + 1), 'zip');
  request.imageName = path;
  const signal = whenAbandoned(request.raw, reply.raw);
  const caller = await parts.callers.callerOf(request.raw);
  const dataSet = await parts.dataSets.prepare(path, caller, request.origin, signal);
  request.openFolder = openFolderOf(dataSet.selection);
  const progress = await made(dataSet, parts, request, signal);
  if (progress.kind !== 'done') throw beingMade(progress, dataSet);
  const name = `${path.split('/').at(-1) || 'library'}.zip`;
  return sendKept(dataSet, progress, 'application/zip', dispositionOf(name, 'attachment'), parts, request, reply);
}

export const dataSetRoutes: FastifyPluginCallback<DataSetRoutesParts> = (server, parts, done) => {
  addRoutes(server, ['/dataset/*'], (request, reply) => retryWhileReplaced(() => serve(parts, request, reply)));
  done();
};

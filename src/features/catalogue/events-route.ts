/** `POST {base_url}/catalogue/events`: the store tells of changes in buckets. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { takeTextBodies } from '../../core/http/text-bodies.ts';
import { changesIn } from './bucket-events.ts';
import type { ChangedFolders } from './changed-folders.ts';
import type { PostgresCatalogue } from './postgres/postgres-catalogue.ts';

interface EventsParts {
  readonly catalogue: Pick<PostgresCatalogue, 'take'>;
  readonly folders: Pick<ChangedFolders, 'add'>;
  /** The file with the bearer token, which is read again for each request, so that it can be replaced. */
  readonly tokenFile: string;
  /** Called with the addresses of objects whose changes were taken. */
  readonly onChanged: (stored: readonly string[]) => void;
  readonly logger: Logger;
}

/** Below the context path. */
export const eventsPath = '/catalogue/events';

/** A notification has some kilobytes for each of its records. */
const maxBodyBytes = 2 ** 20;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in a time that says nothing of either. */
function isToken(header: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
  return token !== '' && timingSafeEqual(digestOf(sent), digestOf(token));
}

const refuse = (reply: FastifyReply, status: number, sentence: string): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${sentence}\n`);

export const eventsRoute: FastifyPluginCallback<EventsParts> = (
  server,
  { catalogue, folders, tokenFile, onChanged, logger },
  done,
) => {
  // The database takes them one after the other: connections that wait would be missing for answers.
  const turns = new PQueue({ concurrency: 1 });
  // MinIO and others send notifications under several media types.
  takeTextBodies(server, maxBodyBytes);
  server.route({
    method: 'POST',
    url: eventsPath,
    bodyLimit: maxBodyBytes,
    config: { acceptsForms: true },
    // Nothing is read of a request without the token.
    onRequest: async ({ headers }, reply) => {
      const token = (await readFile(tokenFile, 'utf8')).trim();
      if (isToken(headers.authorization, token)) return undefined;
      return refuse(reply.header('www-authenticate', 'Bearer'), 401, 'The token of this address is missing or wrong.');
    },
    handler: async ({ body }, reply) => {
      let changes: ReturnType<typeof changesIn>;
      try {
        changes = changesIn(JSON.parse(typeof body === 'string' ? body : ''));
      } catch {
        return refuse(reply, 400, 'This is no notification of a bucket in the form of S3.');
      }
      try {
        const taken = await turns.add(() => catalogue.take(changes));
        folders.add(taken);
        onChanged(taken.map(({ bucket, key }) => `s3://${bucket}/${key}`));
        return reply.code(204).send();
      } catch (err) {
        logger.warn({ err }, 'changes of buckets can’t be written to the catalogue');
        // The store sends them again.
        return refuse(reply.header('retry-after', '5'), 503, 'The catalogue does not answer; send this again later.');
      }
    },
  });
  done();
};

/** A build as it is stored in Redis: what another process needs to find the source itself, which it does not take from Redis. */
import { z } from 'zod';
import type { Resolution } from '../../image/model/image-set.ts';
import { contentKey } from '../pyramid-layout.ts';
import type { Urgency } from './build-queue.ts';

const schema = z.object({
  /** The content key of the pyramid, by which the page of the file is found. */
  key: z.string().max(100),
  /** The path of the source on the host, which is the same on all machines that share the queue. */
  path: z.string().max(8192),
});

export type JobData = z.infer<typeof schema>;

export const jobOf = (key: string, source: Resolution): JobData => ({ key, path: source.file.path });

/** Throws where the data is of another form. */
export const parseJob = (data: unknown): JobData => schema.parse(data);

/** BullMQ runs lower numbers first. */
export const priorities: Readonly<Record<Urgency, number>> = { reader: 1, ahead: 10 };

/** Reads the facts of the pages of a file of the library; none where it can't be read or is outside. Rejects where nobody answers. */
export type SourceProbe = (path: string) => Promise<readonly Resolution[]>;

/** The source of a job as the file is now; undefined where it was changed meanwhile, is gone, or is not of the library. */
export async function sourceOf({ key, path }: JobData, probe: SourceProbe, quality: number) {
  const pages = await probe(path);
  return pages.find((page) => contentKey(page, quality) === key);
}

/** A bucket with the folder of a book: scans, and beside each a text as ALTO. */

import { type ComputedBucket, startComputedBucket } from './computed-bucket.ts';
import { frontDirectoryTiff } from './large-pyramid.ts';

const stemOf = (index: number): string => `p${String(index).padStart(5, '0')}`;

/** The name of a scan without its extension, from 0. */
export const scanOf = stemOf;

const alto = Buffer.from(
  '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page ID="p" WIDTH="2048" HEIGHT="2048"><PrintSpace>' +
    '<TextBlock ID="b"><TextLine ID="l"><String CONTENT="verbena" HPOS="8" VPOS="8" WIDTH="90" HEIGHT="20"/></TextLine></TextBlock>' +
    '</PrintSpace></Page></Layout></alto>',
);

export async function startCodexBucket(pages: number): Promise<ComputedBucket> {
  const texts = Array.from({ length: pages }, (_, index) => [`codex/${stemOf(index)}.xml`, alto] as const);
  return startComputedBucket({
    ...{ bucket: 'books', prefix: 'codex/', images: pages, nameOf: (index) => `${stemOf(index)}.tif` },
    bytes: await frontDirectoryTiff(),
    others: Object.fromEntries(texts),
  });
}

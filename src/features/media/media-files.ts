/** Files of sound and video in folders: what their headers tell, cached, and the addresses of what belongs to them. */
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import PQueue from 'p-queue';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import type { Caller } from '../../core/access/policy.ts';
import { encodePath } from '../../core/image/addresses/folder-address.ts';
import { stemOf } from '../../core/image/model/formats.ts';
import { childOf, formatIdentifier, isSegment } from '../../core/image/model/identifier.ts';
import type { Admitted } from '../../core/image/model/image-set.ts';
import { mediaFormatOf } from '../../core/image/model/media-formats.ts';
import type { Folder, Library, LocatedMedia } from '../../core/library/library.ts';
import type { MediaFile, MediaFiles } from '../../core/ports.ts';
import type { MediaFacts } from './headers/media-source.ts';

/** Below the context path. */
export const mediaPath = '/media';

/** A folder shows no more files of sound and video: each has a header that is read. */
const mostFiles = 500;

/** Headers that are read at the same time, of all folders. */
const atOnce = 4;

/** Files whose facts are remembered, by their versions. */
const mostFacts = 20_000;

const noFacts = 'none';

type Facts = MediaFacts | typeof noFacts;

const addressOf = (path: string): string => `${mediaPath.slice(1)}/${encodePath(path)}`;

/** Reads the facts of a file, once for each version of it. */
export function createFactsReader(library: Pick<Library, 'handle'>) {
  const known = new LRUCache<string, Facts>({ max: mostFacts });
  const queue = new PQueue({ concurrency: atOnce });
  return async ({ name, file }: Pick<LocatedMedia, 'name' | 'file'>): Promise<MediaFacts | undefined> => {
    const key = `${file.path}\n${file.fingerprint}`;
    const read = async (): Promise<Facts> => {
      const { readMediaFacts } = await import('./headers/media-facts.ts');
      const handle = library.handle(file);
      const part = (at: number, length: number): Promise<Buffer> =>
        handle.readRange(at, Math.min(length, file.bytes - at), 'directory');
      const extension = name.slice(stemOf(name).length + 1).toLowerCase();
      return (await readMediaFacts(extension, { bytes: file.bytes, read: part })) ?? noFacts;
    };
    const found = known.get(key) ?? (await queue.add(read));
    if (found !== undefined) known.set(key, found);
    return found === noFacts ? undefined : found;
  };
}

export function createMediaFiles(
  admission: Pick<Admission, 'admitMedia' | 'isMediaOpen'>,
  factsOf: ReturnType<typeof createFactsReader>,
): MediaFiles {
  async function describe(located: Admitted<LocatedMedia>): Promise<MediaFile | undefined> {
    const { folder, name, file, texts, image } = located;
    const format = mediaFormatOf(name);
    if (format === undefined) return undefined;
    // A file that can't be read now is shown without its length.
    const facts = await factsOf(located).catch(() => undefined);
    const { duration, width, height } = facts ?? {};
    const path = formatIdentifier(childOf(folder, name));
    const isSeen = width !== undefined && height !== undefined;
    return {
      path,
      name,
      // A video file without a picture is sound, where its header could be read.
      kind: facts !== undefined && !isSeen ? 'sound' : format.kind,
      mediaType: format.mediaType,
      address: addressOf(path),
      duration,
      size: isSeen ? { width, height } : undefined,
      modifiedMs: file.modifiedMs,
      isOpen: await admission.isMediaOpen(located),
      texts: texts.map(({ name: text, mediaType, language, isCaptions }) => ({
        address: addressOf(formatIdentifier(childOf(folder, text))),
        mediaType,
        language,
        isCaptions,
      })),
      image,
    };
  }

  return {
    async mediaIn({ identifier, mediaFiles = [] }: Admitted<Folder>, caller: Caller) {
      const names = mediaFiles.filter((name) => mediaFormatOf(name) !== undefined && isSegment(name));
      const found = await pMap(
        names.slice(0, mostFiles),
        async (name) => {
          const path = formatIdentifier(childOf(identifier, name));
          const located = await ifAdmitted(admission.admitMedia(path, caller));
          return located && describe(located);
        },
        { concurrency: atOnce },
      );
      return found.filter((one) => one !== undefined);
    },
  };
}

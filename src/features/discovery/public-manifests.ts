/** Walks the manifests that everyone may see: by what a catalogue counts, or else folder by folder. */
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import type { CountedFolder, CountedFolders } from '../../core/access/counted-folders.ts';
import { ifAnswering } from '../../core/access/if-answering.ts';
import { type Access, anyone } from '../../core/access/policy.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { childOf, formatIdentifier, parseIdentifier } from '../../core/image/model/identifier.ts';
import type { Admitted } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';
import type { Manifests } from '../../core/ports.ts';
import type { SeenManifest } from '../../core/storage/change-list.ts';

export interface PublicManifestsParts {
  readonly admission: Pick<Admission, 'admitFolder'>;
  readonly access: Pick<Access, 'grantAt'>;
  readonly manifests: Pick<Manifests, 'factsOf'>;
  readonly countedFolders: () => CountedFolders | undefined;
}

export interface PublicManifests {
  /** Each once; `no-answer` for what may have some, but lies on a disk or in a store that does not answer. */
  all(signal: AbortSignal): AsyncGenerator<SeenManifest | 'no-answer'>;
  /** Whether everyone may see a folder, by the rules of this moment for its path alone. */
  isOpen(path: string): boolean;
}

/** A folder that links lead to has several paths; it counts where its first one is. */
const isElsewhere = ({ paths }: Folder, here: string): boolean => paths.some((path) => formatIdentifier(path) < here);

export function createPublicManifests(parts: PublicManifestsParts): PublicManifests {
  const { admission, access, manifests, countedFolders } = parts;

  /** Undefined where a folder has no manifest that everyone may see. */
  async function seenIn(path: string, signal: AbortSignal): Promise<SeenManifest | undefined> {
    try {
      const facts = await ifAdmitted(manifests.factsOf(path, signal));
      return facts && { path, ...facts };
    } catch (error) {
      // A folder of more pages than a manifest may have.
      if (error instanceof ImageError && error.code === 'too-large') return undefined;
      if (!(error instanceof ImageError) || signal.aborted) throw error;
      return { path, version: undefined, changedMs: 0 };
    }
  }

  /** Undefined as of `seenIn`. Without a date some of the images may be closed, and nobody is to learn of what happens to these. */
  async function countedIn(folder: CountedFolder, signal: AbortSignal): Promise<SeenManifest | undefined> {
    const { path, images, changedMs, metadataVersion } = folder;
    if (images === 0) return undefined;
    if (changedMs === 0) return seenIn(path, signal);
    return { path, version: `${images} ${changedMs} ${metadataVersion}`, changedMs };
  }

  async function* inCatalogue(
    counted: CountedFolders,
    signal: AbortSignal,
  ): AsyncGenerator<SeenManifest | 'no-answer'> {
    try {
      for await (const folder of counted.from('')) {
        if (signal.aborted) return;
        const seen = await countedIn(folder, signal);
        if (seen !== undefined) yield seen;
      }
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      // A root that nobody may see has no manifests; a catalogue that does not answer may have some.
      if (error.code !== 'not-found') yield 'no-answer';
    }
  }

  async function* inFolders(signal: AbortSignal): AsyncGenerator<SeenManifest | 'no-answer'> {
    const waiting = [''];
    for (let path = waiting.pop(); path !== undefined && !signal.aborted; path = waiting.pop()) {
      const folder: Admitted<Folder> | 'no-answer' | undefined = await ifAnswering(
        ifAdmitted(admission.admitFolder(path, anyone)),
      );
      if (folder === undefined) continue;
      if (folder === 'no-answer') {
        yield folder;
        continue;
      }
      if (isElsewhere(folder, path)) continue;
      const seen = await seenIn(path, signal);
      if (seen !== undefined) yield seen;
      // Each is admitted by itself, so that one whose disk does not answer is not taken for one that is closed.
      for (const name of folder.folders.toReversed()) waiting.push(formatIdentifier(childOf(folder.identifier, name)));
    }
  }

  return {
    all(signal) {
      const counted = countedFolders();
      return counted === undefined ? inFolders(signal) : inCatalogue(counted, signal);
    },
    isOpen(path) {
      const identifier = parseIdentifier(path);
      return identifier !== undefined && access.grantAt([identifier], anyone) !== undefined;
    },
  };
}

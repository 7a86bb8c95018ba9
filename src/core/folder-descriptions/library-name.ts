/** The name of the library: that of the settings, or else the label of its root folder. */
import { setTimeout } from 'node:timers/promises';
import type { Admission } from '../access/admit.ts';
import { ifAnswering } from '../access/if-answering.ts';
import type { Caller } from '../access/policy.ts';
import type { LanguageMap } from '../image/folder/folder-metadata.ts';
import { rootIdentifier } from '../image/model/identifier.ts';
import type { FolderMetadataSource } from './folder-cards.ts';

export interface LibraryNameParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  /** A caller without any role. */
  readonly anyone: Caller;
  /** The name in the settings. */
  readonly name: string | undefined;
}

/** Pages wait this long for a name that is known already, in ms, since it may have changed. */
const freshMs = 200;

/**
 * Empty where the library has no name, or its root is not open to everyone. Where the disk is slow, it is the name that was read
 * last; only who comes before it was ever read waits for it, for at most 2 s.
 */
export function createLibraryName({ admission, metadata, anyone, name }: LibraryNameParts): () => Promise<LanguageMap> {
  if (name !== undefined) return async () => ({ none: [name] });
  let known: LanguageMap | undefined;

  const labelOfRoot = async (): Promise<LanguageMap> => {
    if (!(await admission.isFolderVisible('', anyone))) return {};
    return (await metadata.metadataOf(rootIdentifier, 'titles')).label ?? {};
  };

  async function read(): Promise<LanguageMap> {
    const label = await ifAnswering(labelOfRoot());
    known = label === 'no-answer' ? (known ?? {}) : label;
    return known;
  }

  return async () => {
    const reading = read();
    if (known === undefined) return reading;
    const last = known;
    const timer = new AbortController();
    const late = setTimeout(freshMs, last, { signal: timer.signal }).catch(() => last);
    return Promise.race([reading, late]).finally(() => timer.abort());
  };
}

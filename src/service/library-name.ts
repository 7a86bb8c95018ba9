/** The name of the library: that of the settings, or else the label of its root folder. */
import type { Caller } from '../access/access.ts';
import type { LanguageMap } from '../image/folder/folder-metadata.ts';
import { rootIdentifier } from '../image/model/identifier.ts';
import { type Admission, ifAdmitted } from './admit.ts';
import { ifAnswering } from './if-answering.ts';
import type { FolderMetadataSource } from './present.ts';

export interface LibraryNameParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  /** A caller without any role. */
  readonly anyone: Caller;
  /** The name in the settings. */
  readonly name: string | undefined;
}

/** Empty where the library has no name, or its root is not open to everyone. */
export function createLibraryName({ admission, metadata, anyone, name }: LibraryNameParts): () => Promise<LanguageMap> {
  if (name !== undefined) return async () => ({ none: [name] });
  const labelOfRoot = async (): Promise<LanguageMap> => {
    const root = await ifAdmitted(admission.admitFolder('', anyone));
    return root === undefined ? {} : ((await metadata.metadataOf(rootIdentifier)).label ?? {});
  };
  return async () => {
    const label = await ifAnswering(labelOfRoot());
    return label === 'no-answer' ? {} : label;
  };
}

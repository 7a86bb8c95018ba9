/** Where the metadata of folders come from. */
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import type { Identifier } from '../image/model/identifier.ts';

export interface FolderMetadataSource {
  metadataOf(folder: Identifier): Promise<FolderMetadata>;
}

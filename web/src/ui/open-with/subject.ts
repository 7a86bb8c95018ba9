/** What is opened with another program: a folder or an image. */

export interface FolderSubject {
  readonly kind: 'folder';
  readonly path: string;
  readonly title: string;
  readonly hasImages: boolean;
  readonly hasFolders: boolean;
  /** The path of an image of the folder, for pictures of it. */
  readonly firstImage: string | undefined;
}

export interface ImageSubject {
  readonly kind: 'image';
  readonly path: string;
  readonly title: string;
  /** The folder that the image lies in. */
  readonly folder: string;
}

export type OpenSubject = FolderSubject | ImageSubject;

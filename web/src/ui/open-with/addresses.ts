/** Addresses of a folder or an image for other programs. */

import {
  foldersBelow,
  imageServicesBelow,
  keyOfPage,
  presentationAddresses,
} from '../../../../src/core/image/addresses/iiif-addresses.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { addressOf } from '../../data/fetch.ts';
import { foreignImage, pictureAddress } from '../../data/images.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { folderRoute, imageRoute, viewRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { addressOfRoute } from '../../state/route.ts';

export interface FolderSubject {
  readonly kind: 'folder';
  readonly path: string;
  readonly title: string;
  readonly hasImages: boolean;
  readonly hasFolders: boolean;
  /** The path of the image for pictures of the folder. */
  readonly firstImage: string | undefined;
}

export interface ImageSubject {
  readonly kind: 'image';
  readonly path: string;
  readonly title: string;
  readonly folder: string;
  /** The position of its file in the folder, from 1. */
  readonly at: number;
}

export type OpenSubject = FolderSubject | ImageSubject;

export interface NamedAddress {
  readonly name: MessageKey;
  readonly address: string;
}

const root = (): string => baseAddress().replace(/\/$/, '');

const foldersOf = (version: 2 | 3) => foldersBelow(`${root()}/presentation/${version}`, pageSettings.iiifSlash);

const servicesOf = (path: string) => imageServicesBelow(root(), pageSettings.iiifSlash)(path);

export interface ManifestLink {
  readonly manifest: string;
  /** The canvas of the image; absent for a folder. */
  readonly canvas?: string;
}

/** The manifest (version 3) of the folder, or of the image's folder; undefined for a folder without images. */
export function manifestOf(subject: OpenSubject): ManifestLink | undefined {
  if (subject.kind === 'folder') {
    return subject.hasImages ? { manifest: foldersOf(3).manifest(subject.path) } : undefined;
  }
  const foreign = foreignImage(subject.path);
  if (foreign !== undefined) return { manifest: foreign.manifest, canvas: foreign.page.canvasId };
  const prefix = `${root()}/presentation/3`;
  const { manifest, part } = presentationAddresses(prefix, subject.folder, pageSettings.iiifSlash);
  const { file, page } = splitPage(subject.path);
  return { manifest, canvas: part('canvas', keyOfPage(file.slice(file.lastIndexOf('/') + 1), page)) };
}

/** The manifest that begins at a canvas, which viewers without a parameter for it respect. */
export const startingAt = (manifest: string, canvas: string): string =>
  canvas === '' ? manifest : `${manifest}?start=${encodeURIComponent(canvas)}`;

/** The address of an image's `info.json` (version 3). */
export const infoAddress = (path: string): string =>
  `${foreignImage(path)?.page.image?.service?.id ?? servicesOf(path).version3}/info.json`;

/** At most 800 × 800 pixels. */
export const pictureOf = (path: string): string =>
  new URL(pictureAddress(path, { width: 800, height: 800 }), baseAddress()).href;

export const embeddedView = (path: string): string => addressOfRoute(viewRoute(plainView(path), true));

function folderAddresses({ path, hasImages, hasFolders }: FolderSubject): readonly NamedAddress[] {
  const [two, three] = [foldersOf(2), foldersOf(3)];
  const manifests: readonly NamedAddress[] = [
    { name: 'address-manifest-3', address: three.manifest(path) },
    { name: 'address-manifest-2', address: two.manifest(path) },
  ];
  const collections: readonly NamedAddress[] = [
    { name: 'address-collection-3', address: three.collection(path) },
    { name: 'address-collection-2', address: two.collection(path) },
  ];
  return [
    { name: 'address-reading-room', address: addressOfRoute(folderRoute(path)) },
    ...(hasImages ? manifests : []),
    ...(hasFolders ? collections : []),
    { name: 'address-folder-info', address: baseAddress() + addressOf('api/dirInfo-json.jsp', { fn: path }) },
  ];
}

/** The addresses of an image of another host. */
function foreignAddresses(subject: ImageSubject): readonly NamedAddress[] {
  const { manifest = '' } = manifestOf(subject) ?? {};
  const hasService = foreignImage(subject.path)?.page.image?.service !== undefined;
  return [
    { name: 'address-reading-room', address: addressOfRoute(imageRoute(subject.path)) },
    { name: 'foreign-manifest', address: manifest },
    ...(hasService ? [{ name: 'address-info', address: infoAddress(subject.path) } as const] : []),
  ];
}

const imageAddresses = ({ path, folder }: ImageSubject): readonly NamedAddress[] => [
  { name: 'address-reading-room', address: addressOfRoute(imageRoute(path)) },
  { name: 'address-info-3', address: infoAddress(path) },
  { name: 'address-info-2', address: `${servicesOf(path).version2}/info.json` },
  { name: 'address-manifest-3', address: foldersOf(3).manifest(folder) },
  { name: 'address-manifest-2', address: foldersOf(2).manifest(folder) },
  { name: 'address-scaler', address: pictureOf(path) },
  { name: 'address-info-object', address: baseAddress() + addressOf('api/dlInfo-json.jsp', { fn: path }) },
];

/** All addresses, ordered by how many programs support them. */
export function addressesOf(subject: OpenSubject): readonly NamedAddress[] {
  if (subject.kind === 'folder') return folderAddresses(subject);
  return foreignImage(subject.path) === undefined ? imageAddresses(subject) : foreignAddresses(subject);
}

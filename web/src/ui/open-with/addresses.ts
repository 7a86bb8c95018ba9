/** The addresses under which other programs open a folder or an image. */
import {
  foldersBelow,
  imageServicesBelow,
  keyOfPage,
  presentationAddresses,
} from '../../../../src/iiif/presentation/addresses.ts';
import { splitPage } from '../../../../src/image/model/identifier.ts';
import { addressOf } from '../../data/ask.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { folderRoute, imageRoute, viewRoute } from '../../model/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { addressOfRoute } from '../../state/route.ts';
import type { FolderSubject, ImageSubject, OpenSubject } from './subject.ts';

/** What this server is to others. */
export interface Site {
  /** The address that everything is below, with a slash at its end. */
  readonly base: string;
  /** What stands for a slash in IIIF's identifiers. */
  readonly slash: string;
}

export interface NamedAddress {
  readonly name: MessageKey;
  readonly address: string;
}

const withoutSlash = (base: string): string => base.replace(/\/$/, '');

const presentationPrefix = ({ base }: Site, version: 2 | 3): string => `${withoutSlash(base)}/presentation/${version}`;

const foldersOf = (site: Site, version: 2 | 3) => foldersBelow(presentationPrefix(site, version), site.slash);

/** What viewers of IIIF open: a manifest, and which of its pages. */
export interface ManifestPlace {
  readonly manifest: string;
  /** The canvas of an image; absent for a folder, which begins with its first page. */
  readonly canvas?: string;
}

/** The manifest of a folder's images, of version 3; for an image that of its folder, with its own canvas. */
export function manifestOf(subject: OpenSubject, site: Site): ManifestPlace | undefined {
  if (subject.kind === 'folder') {
    return subject.hasImages ? { manifest: foldersOf(site, 3).manifest(subject.path) } : undefined;
  }
  const { manifest, part } = presentationAddresses(presentationPrefix(site, 3), subject.folder, site.slash);
  const { file, page } = splitPage(subject.path);
  return { manifest, canvas: part('canvas', keyOfPage(file.slice(file.lastIndexOf('/') + 1), page)) };
}

/** The address of an image's IIIF service, without `info.json`. */
export const imageService = (path: string, { base, slash }: Site): string =>
  imageServicesBelow(withoutSlash(base), slash)(path).version3;

/** A picture of an image, no larger than a page has room for. */
export const pictureOf = (path: string, { base }: Site): string =>
  base + addressOf('Scaler', { fn: path, dw: 800, dh: 800 });

/** The viewer inside of other pages. */
export const embeddedView = (path: string): string => addressOfRoute(viewRoute(plainView(path), true));

function folderAddresses(subject: FolderSubject, site: Site): readonly NamedAddress[] {
  const { path, hasImages, hasFolders } = subject;
  const [two, three] = [foldersOf(site, 2), foldersOf(site, 3)];
  const manifests: readonly NamedAddress[] = [
    { name: 'address-manifest-3', address: three.manifest(path) },
    { name: 'address-manifest-2', address: two.manifest(path) },
  ];
  const collections: readonly NamedAddress[] = [
    { name: 'address-collection-3', address: three.collection(path) },
    { name: 'address-collection-2', address: two.collection(path) },
  ];
  return [
    { name: 'address-room', address: addressOfRoute(folderRoute(path)) },
    ...(hasImages ? manifests : []),
    ...(hasFolders ? collections : []),
    { name: 'address-folder-info', address: site.base + addressOf('api/dirInfo-json.jsp', { fn: path }) },
  ];
}

function imageAddresses({ path, folder }: ImageSubject, site: Site): readonly NamedAddress[] {
  const services = imageServicesBelow(withoutSlash(site.base), site.slash)(path);
  return [
    {
      name: 'address-room',
      address: addressOfRoute(imageRoute(path)),
    },
    { name: 'address-info-3', address: `${services.version3}/info.json` },
    { name: 'address-info-2', address: `${services.version2}/info.json` },
    { name: 'address-manifest-3', address: foldersOf(site, 3).manifest(folder) },
    { name: 'address-manifest-2', address: foldersOf(site, 2).manifest(folder) },
    { name: 'address-scaler', address: pictureOf(path, site) },
    { name: 'address-info-object', address: site.base + addressOf('api/dlInfo-json.jsp', { fn: path }) },
  ];
}

/** Every address of a folder or an image, those that most programs take first. */
export const addressesOf = (subject: OpenSubject, site: Site): readonly NamedAddress[] =>
  subject.kind === 'folder' ? folderAddresses(subject, site) : imageAddresses(subject, site);

/** The dialog that opens a folder or an image in another program: addresses, HTML snippets, an icon to drag. */
import { ExternalLink } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { frameTag, imageTag } from '../../model/cite/citation.ts';
import { viewerAddress } from '../../model/cite/content-states.ts';
import { FolderImages } from '../../state/folder-images.ts';
import { Icon } from '../common/button.tsx';
import { Dialog } from '../common/dialog.tsx';
import { type Tab, Tabs } from '../common/tabs.tsx';
import { CopyButton } from '../common/take-along.tsx';
import {
  addressesOf,
  embeddedView,
  infoAddress,
  type ManifestLink,
  manifestOf,
  type NamedAddress,
  type OpenSubject,
  pictureOf,
  startingAt,
} from './addresses.ts';
import { DragIcon } from './drag-icon.tsx';
import { miradorSnippet, openSeadragonImage, openSeadragonPages, universalViewerSnippet } from './snippets.ts';

const AddressLine = ({ name, address }: NamedAddress): VNode => (
  <div>
    <dt>{message(name)}</dt>
    <dd>
      <a href={address} target="_blank" rel="noopener">
        {address}
      </a>
      <CopyButton text={() => address} name={message('copy-named', { name: message(name) })} />
    </dd>
  </div>
);

const Snippet = ({ title, text }: { readonly title?: string; readonly text: string }): VNode => (
  <div class="snippet">
    {title && <h3>{title}</h3>}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the only way to scroll it by keys. */}
    <pre tabIndex={0}>{text}</pre>
    <CopyButton text={() => text} name={message('copy')} label={message('copy')} />
  </div>
);

const withNote = (text: string) => (): VNode => (
  <>
    <p class="note">{message('snippet-note')}</p>
    <Snippet text={text} />
  </>
);

/** The picture of an image, or the first of a folder. */
const pathOfPicture = (subject: OpenSubject): string | undefined =>
  subject.kind === 'image' ? subject.path : subject.firstImage;

function webPage(subject: OpenSubject): VNode {
  const picture = pathOfPicture(subject);
  return (
    <>
      {picture !== undefined && (
        <Snippet title={message('snippet-img')} text={imageTag(pictureOf(picture), subject.title)} />
      )}
      <Snippet title={message('snippet-iframe')} text={frameTag(embeddedView(subject.path), subject.title)} />
    </>
  );
}

function tabsOf(subject: OpenSubject, link: ManifestLink | undefined): readonly Tab[] {
  const lines = addressesOf(subject);
  const addresses: Tab = {
    name: message('addresses-tab'),
    content: () => (
      <dl class="addresses">
        {lines.map((line) => (
          <AddressLine key={line.name} {...line} />
        ))}
      </dl>
    ),
  };
  if (link === undefined) return [addresses];
  const { manifest } = link;
  const seadragon =
    subject.kind === 'image' ? openSeadragonImage(infoAddress(subject.path)) : openSeadragonPages(manifest);
  return [
    addresses,
    { name: 'OpenSeadragon', content: withNote(seadragon) },
    { name: 'Mirador', content: withNote(miradorSnippet(link)) },
    { name: 'Universal Viewer', content: withNote(universalViewerSnippet(manifest)) },
    { name: message('web-page-tab'), content: () => webPage(subject) },
  ];
}

interface OpenWithProps {
  readonly subject: OpenSubject;
  readonly onClose: () => void;
}

export function OpenWith({ subject, onClose }: OpenWithProps): VNode {
  const manifest = manifestOf(subject);
  return (
    <Dialog title={message('open-with-title', { title: subject.title })} onClose={onClose}>
      {manifest !== undefined && <ViewerRow subject={subject} link={manifest} />}
      {manifest !== undefined && <DragIcon subject={subject} manifest={manifest} />}
      <Tabs name={message('ways-to-open')} tabs={tabsOf(subject, manifest)} />
    </Dialog>
  );
}

interface ViewerRowProps {
  readonly subject: OpenSubject;
  readonly link: ManifestLink;
}

/**
 * The position of a page's canvas in the manifest, from 0: files of several pages have a canvas for each, unreadable ones none. That
 * of the file until the images before it have loaded.
 */
function useCanvasIndex(subject: OpenSubject): number {
  const { path, folder, at } = subject.kind === 'image' ? subject : { path: '', folder: '', at: 1 };
  const isNeeded = !isForeign(path) && pageSettings.viewers.some(({ address }) => address.includes('{index}'));
  const images = useMemo(() => (isNeeded ? new FolderImages(folder, 'manual') : undefined), [isNeeded, folder]);
  useEffect(() => {
    images?.need(positionsBefore(at));
    return () => images?.close();
  }, [images, at]);
  const before = positionsBefore(at).map((position) => images?.cardAt(position));
  const inner = splitPage(path).page - 1;
  if (!before.every((card) => card !== undefined)) return at - 1 + inner;
  return before.reduce((sum, { width, pages }) => sum + (width === null ? 0 : pages), inner);
}

const positionsBefore = (at: number): readonly number[] => Array.from({ length: at - 1 }, (_, index) => index + 1);

/** The viewers of other sites that open the folder, or the folder at an image. */
function ViewerRow({ subject, link: { manifest, canvas = '' } }: ViewerRowProps): VNode | null {
  const index = useCanvasIndex(subject);
  if (pageSettings.viewers.length === 0) return null;
  const target = {
    manifest,
    canvas,
    start: startingAt(manifest, canvas),
    index,
  };
  return (
    <section class="viewer-row wrap" aria-label={message('viewers')}>
      {pageSettings.viewers.map((viewer) => (
        <a key={viewer.name} class="button" href={viewerAddress(viewer, target)} target="_blank" rel="noopener">
          <Icon of={ExternalLink} size={16} />
          {viewer.name}
        </a>
      ))}
      {location.protocol === 'http:' && <p class="note">{message('viewers-need-https')}</p>}
    </section>
  );
}

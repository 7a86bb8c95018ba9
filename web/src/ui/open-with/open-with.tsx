/** The dialog that opens a folder or an image in another program: addresses, HTML snippets, an icon to drag. */
import '../../styles/open-with.css';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { frameTag, imageTag } from '../../model/cite/citation.ts';
import { CopyButton } from '../common/copy.tsx';
import { Dialog } from '../common/dialog.tsx';
import {
  addressesOf,
  embeddedView,
  infoAddress,
  type ManifestLink,
  manifestOf,
  type NamedAddress,
  type OpenSubject,
  pictureOf,
} from './addresses.ts';
import { DragIcon } from './drag-icon.tsx';
import { miradorSnippet, openSeadragonImage, openSeadragonPages, universalViewerSnippet } from './snippets.ts';
import { type Tab, Tabs } from './tabs.tsx';
import { ViewerRow } from './viewer-row.tsx';

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

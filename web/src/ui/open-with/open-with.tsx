/** Ways to open a folder or an image in another program: addresses, pieces of HTML, and an icon to drag. */
import '../../styles/open-with.css';
import type { VNode } from 'preact';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { imageTag } from '../../model/citation.ts';
import { frameTag } from '../../model/embed-tags.ts';
import { CopyButton } from '../common/copy.tsx';
import { Dialog } from '../common/dialog.tsx';
import {
  addressesOf,
  embeddedView,
  imageService,
  type ManifestPlace,
  manifestOf,
  type NamedAddress,
  pictureOf,
  type Site,
} from './addresses.ts';
import { DragIcon } from './drag-icon.tsx';
import { miradorSnippet, openSeadragonImage, openSeadragonPages, universalViewerSnippet } from './snippets.ts';
import type { OpenSubject } from './subject.ts';
import { type Tab, Tabs } from './tabs.tsx';

const siteHere = (): Site => ({ base: baseAddress(), slash: pageSettings.iiifSlash });

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
    {/* A keyboard reaches what scrolls. */}
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

function webPage(subject: OpenSubject, site: Site): VNode {
  const picture = pathOfPicture(subject);
  return (
    <>
      {picture !== undefined && (
        <Snippet title={message('snippet-img')} text={imageTag(pictureOf(picture, site), subject.title)} />
      )}
      <Snippet title={message('snippet-iframe')} text={frameTag(embeddedView(subject.path), subject.title)} />
    </>
  );
}

function tabsOf(subject: OpenSubject, site: Site, place: ManifestPlace | undefined): readonly Tab[] {
  const lines = addressesOf(subject, site);
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
  if (place === undefined) return [addresses];
  const { manifest } = place;
  const seadragon =
    subject.kind === 'image'
      ? openSeadragonImage(`${imageService(subject.path, site)}/info.json`)
      : openSeadragonPages(manifest);
  return [
    addresses,
    { name: 'OpenSeadragon', content: withNote(seadragon) },
    { name: 'Mirador', content: withNote(miradorSnippet(place)) },
    { name: 'Universal Viewer', content: withNote(universalViewerSnippet(manifest)) },
    { name: message('web-page-tab'), content: () => webPage(subject, site) },
  ];
}

interface OpenWithProps {
  readonly subject: OpenSubject;
  readonly onClose: () => void;
}

export function OpenWith({ subject, onClose }: OpenWithProps): VNode {
  const site = siteHere();
  const manifest = manifestOf(subject, site);
  return (
    <Dialog title={message('open-with-title', { title: subject.title })} onClose={onClose}>
      {manifest !== undefined && <DragIcon subject={subject} manifest={manifest} />}
      <Tabs name={message('ways-to-open')} tabs={tabsOf(subject, site, manifest)} />
    </Dialog>
  );
}

/** Everything by which others come to what is seen: addresses, a citation, pictures, and HTML for pages. */
import '../../styles/cite.css';
import type { VNode } from 'preact';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { withinAddress } from '../../model/address.ts';
import { imageTag } from '../../model/citation.ts';
import { elementTag, frameTag } from '../../model/embed-tags.ts';
import { manifestPath } from '../../model/iiif-address.ts';
import { imageRoute, viewRoute } from '../../model/routes.ts';
import { scalerQuery } from '../../model/scaler-address.ts';
import { namedView, pictured } from '../../state/current-view.ts';
import { facts, type Opened, openedNow } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { CitationSection } from './citation-section.tsx';
import { CopyRow } from './copy-row.tsx';
import { PictureSection } from './picture-section.tsx';
import { describeView } from './view-words.ts';

/** CSS pixels that a picture inside of a page takes at most. */
const pagePicture = { width: 800, height: 800 };

const viewAddress = (embedded: boolean): string => addressOfRoute(viewRoute(namedView.value, embedded));

function ViewSection({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode {
  const state = namedView.value;
  const said = withinAddress(state);
  const short = addressOfRoute(imageRoute(state.fn));
  return (
    <section class="panel-section">
      <h3>{message('cite-view')}</h3>
      <CopyRow name={message('cite-view-address')} text={address} href={address}>
        <p class="soft">{message('cite-contains', { what: describeView(said) })}</p>
        {said !== state && <p class="soft">{message('cite-too-long')}</p>}
        {state.twoPages && <p class="soft">{message('cite-two-pages', { label: opened.card.label })}</p>}
      </CopyRow>
      {short !== address && <CopyRow name={message('cite-page-address')} text={short} href={short} />}
    </section>
  );
}

function WebSection({ opened }: { readonly opened: Opened }): VNode {
  const { label } = opened.card;
  const embed = viewAddress(true);
  const picture = `${baseAddress()}Scaler?${scalerQuery(pictured.value, pagePicture)}`;
  const rows = [
    [message('snippet-img'), imageTag(picture, label)],
    [message('snippet-iframe'), frameTag(embed, label)],
    [message('cite-element'), elementTag(embed, `${baseAddress()}lectern-viewer.js`, label)],
  ] as const;
  return (
    <section class="panel-section">
      <h3>{message('cite-web')}</h3>
      {rows.map(([name, text]) => (
        <CopyRow key={name} name={name} text={text} />
      ))}
    </section>
  );
}

function ManifestRow({ opened }: { readonly opened: Opened }): VNode {
  const manifest = baseAddress() + manifestPath(opened.folder.path, pageSettings.iiifSlash);
  return <CopyRow name={message('cite-manifest')} text={manifest} href={manifest} />;
}

export function CitePanel(): VNode | null {
  const opened = openedNow();
  if (opened === undefined) return null;
  const address = viewAddress(false);
  const image = facts.value;
  return (
    <div class="cite">
      <ViewSection opened={opened} address={address} />
      <CitationSection opened={opened} address={address} />
      {image && <PictureSection opened={opened} image={image} />}
      <WebSection opened={opened} />
      <section class="panel-section">
        <h3>IIIF</h3>
        <ManifestRow opened={opened} />
      </section>
    </div>
  );
}

/** The panel with addresses, a citation, downloads and HTML snippets of the view. */
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

/** Maximum size of the picture in the HTML snippet. */
const pagePicture = { width: 800, height: 800 };

const viewAddress = (embedded: boolean): string => addressOfRoute(viewRoute(namedView.value, embedded));

function ViewSection({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode {
  const state = namedView.value;
  const addressed = withinAddress(state);
  const short = addressOfRoute(imageRoute(state.fn));
  return (
    <section class="panel-section">
      <h3>{message('cite-view')}</h3>
      <CopyRow name={message('cite-view-address')} text={address} href={address}>
        <p class="soft">{message('cite-contains', { what: describeView(addressed) })}</p>
        {addressed !== state && <p class="soft">{message('cite-too-long')}</p>}
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
  return (
    <section class="panel-section">
      <h3>{message('cite-web')}</h3>
      <CopyRow name={message('snippet-img')} text={imageTag(picture, label)} />
      <CopyRow name={message('snippet-iframe')} text={frameTag(embed, label)} />
      <CopyRow name={message('cite-element')} text={elementTag(embed, `${baseAddress()}lectern-viewer.js`, label)} />
    </section>
  );
}

export function CitePanel(): VNode | null {
  const opened = openedNow();
  if (opened === undefined) return null;
  const address = viewAddress(false);
  const manifest = baseAddress() + manifestPath(opened.folder.path, pageSettings.iiifSlash);
  const image = facts.value;
  return (
    <div class="cite">
      <ViewSection opened={opened} address={address} />
      <CitationSection opened={opened} address={address} />
      {image && <PictureSection opened={opened} image={image} />}
      <WebSection opened={opened} />
      <section class="panel-section">
        <h3>IIIF</h3>
        <CopyRow name={message('cite-manifest')} text={manifest} href={manifest} />
      </section>
    </div>
  );
}

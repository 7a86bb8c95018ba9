/** The panel with addresses, a citation, downloads and HTML snippets of the view. */
import '../../styles/cite.css';
import { computed, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { baseAddress } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { withinAddress } from '../../model/address/address.ts';
import { isForeign } from '../../model/address/foreign-path.ts';
import { imageRoute, viewRoute } from '../../model/address/routes.ts';
import { elementTag, frameTag, imageTag } from '../../model/cite/citation.ts';
import { scalerQuery } from '../../model/cite/picture-address.ts';
import { manifestAddress } from '../../state/notes/page-annotations.ts';
import { facts, type Opened, openedNow } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { namedView, pictured } from '../../state/viewport.ts';
import { CitationSection } from './citation-section.tsx';
import { ContentStateRows } from './content-state.tsx';
import { CopyRow } from './copy-row.tsx';
import { ForeignPicture } from './foreign-picture.tsx';
import { PictureSection } from './picture-section.tsx';
import { TakeSection } from './take-section.tsx';
import { describeView } from './view-words.ts';

/** Maximum size of the picture in the HTML snippet. */
const pagePicture = { width: 800, height: 800 };

/** Whether the copied address has the texts of notes; it is a wish each time, since they are the reader's own. */
const withTexts = signal(false);

/** The view as it is copied. */
const copied = computed(() => ({ ...namedView.value, withTexts: namedView.value.withTexts || withTexts.value }));

const viewAddress = (embedded: boolean): string => addressOfRoute(viewRoute(copied.value, embedded));

const hasTexts = (): boolean =>
  [...namedView.value.marks, ...namedView.value.rectangles].some(({ text }) => text !== undefined);

const TextsChoice = (): VNode | null =>
  hasTexts() && !namedView.value.withTexts ? (
    <label class="choice">
      <input
        type="checkbox"
        checked={withTexts.value}
        onChange={({ currentTarget }) => {
          withTexts.value = currentTarget.checked;
        }}
      />
      {message('cite-with-texts')}
    </label>
  ) : null;

function ViewSection({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode {
  const state = copied.value;
  const addressed = withinAddress(state);
  const areNotesLeftOut =
    addressed.marks.length + addressed.rectangles.length < state.marks.length + state.rectangles.length;
  const short = addressOfRoute(imageRoute(state.fn));
  return (
    <section class="panel-section">
      <h3>{message('cite-view')}</h3>
      <CopyRow name={message('cite-view-address')} text={address} href={address}>
        <p class="soft">{message('cite-contains', { what: describeView(addressed) })}</p>
        {addressed !== state && (
          <p class="soft">{message(areNotesLeftOut ? 'cite-too-long' : 'cite-texts-too-long')}</p>
        )}
        <TextsChoice />
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
      {!isForeign(opened.path) && <CopyRow name={message('snippet-img')} text={imageTag(picture, label)} />}
      <CopyRow name={message('snippet-iframe')} text={frameTag(embed, label)} />
      <CopyRow name={message('cite-element')} text={elementTag(embed, `${baseAddress()}lectern-viewer.js`, label)} />
    </section>
  );
}

export function CitePanel(): VNode | null {
  // Within the task of the rendering: a later effect would undo a choice that was made before it ran.
  useLayoutEffect(() => {
    withTexts.value = false;
  }, []);
  const opened = openedNow();
  if (opened === undefined) return null;
  const address = viewAddress(false);
  const manifest = manifestAddress(opened);
  const foreign = isForeign(opened.path);
  const image = facts.value;
  return (
    <div class="cite">
      <ViewSection opened={opened} address={address} />
      <CitationSection opened={opened} address={address} />
      {image && !foreign && <PictureSection opened={opened} image={image} />}
      {image && foreign && <ForeignPicture opened={opened} image={image} />}
      {!foreign && <TakeSection opened={opened} />}
      <WebSection opened={opened} />
      <section class="panel-section">
        <h3>IIIF</h3>
        <CopyRow name={message('cite-manifest')} text={manifest} href={manifest} />
        {image && <ContentStateRows opened={opened} image={image} />}
      </section>
    </div>
  );
}

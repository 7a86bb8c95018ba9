/** The panel with addresses, a citation, downloads and HTML snippets of the view. */
import '../../styles/panels.css';
import { computed, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { foreignImage } from '../../data/images.ts';
import { baseAddress } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { withinAddress } from '../../model/address/address.ts';
import { isForeign } from '../../model/address/foreign-path.ts';
import { chapterAround, imageRoute, viewRoute } from '../../model/address/routes.ts';
import { elementTag, frameTag, imageTag } from '../../model/cite/citation.ts';
import { encodeContent, formatContentState } from '../../model/cite/content-states.ts';
import { pixelsOfRegion, scalerQuery } from '../../model/cite/picture-address.ts';
import { regionAddress } from '../../model/manifest/foreign-service.ts';
import { canvasAddress, manifestAddress, onCanvas } from '../../state/notes/page-annotations.ts';
import { facts, type Opened, openedNow } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { hasText } from '../../state/tools.ts';
import { namedView, pictured } from '../../state/viewport.ts';
import { CopyRow } from '../common/copy.tsx';
import { TakeLink } from '../common/take-along.tsx';
import { CitationSection } from './citation-section.tsx';
import { PictureSection } from './picture-section.tsx';
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

const isWhole = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): boolean =>
  x === 0 && y === 0 && width === 1 && height === 1;

/** The content state of the view (IIIF Content State 1.0): for other viewers, and as an address of this one. */
function ContentStateRows({ opened, image }: { readonly opened: Opened; readonly image: Size }): VNode {
  const address = canvasAddress(opened, image);
  const { region } = pictured.value;
  const json = formatContentState({
    ...address,
    region: isWhole(region) ? undefined : onCanvas(region, address),
  });
  const encoded = encodeContent(json);
  const link = `${baseAddress()}view?iiif-content=${encoded}`;
  return (
    <>
      <CopyRow name={message('content-state-link')} text={link} href={link} />
      <CopyRow name={message('content-state')} text={encoded}>
        <p class="soft">{message('content-state-use')}</p>
      </CopyRow>
    </>
  );
}

/** What the reader can take along of a book: PDFs of the page, its chapter and all pages, the pictures and the text. */
function TakeSection({ opened }: { readonly opened: Opened }): VNode {
  const { folder, at, images } = opened;
  const { path } = folder;
  const chapter = chapterAround(folder.contents, at, images.total);
  return (
    <section class="panel-section">
      <h3>{message('take-along')}</h3>
      <div class="downloads">
        <TakeLink form="pdf" folder={path} at={[at]} name={message('pdf-page')} />
        {chapter && <TakeLink form="pdf" folder={path} at={chapter.at} name={message('pdf-chapter')} />}
        <TakeLink form="pdf" folder={path} name={message('pdf-all')} />
        <TakeLink form="zip" folder={path} name={message('zip-all')} />
        {hasText.value && <TakeLink form="txt" folder={path} name={message('text-all')} />}
      </div>
      {chapter && <p class="soft">{message('pdf-chapter-name', { chapter: chapter.label })}</p>}
    </section>
  );
}

/** Where the picture of another host's image is: its address there, and the visible part of it by its image service. */
function ForeignPicture({ opened, image }: { readonly opened: Opened; readonly image: Size }): VNode | null {
  const source = foreignImage(opened.path)?.page.image;
  if (source === undefined) return null;
  const { service, address } = source;
  const visible = service && regionAddress(service, pixelsOfRegion(pictured.value.region, image), image);
  return (
    <section class="panel-section">
      <h3>{message('picture')}</h3>
      {visible !== undefined && <CopyRow name={message('cite-iiif')} text={visible} href={visible} />}
      {address !== undefined && <CopyRow name={message('cite-foreign-picture')} text={address} href={address} />}
      {service !== undefined && (
        <CopyRow name="info.json" text={`${service.id}/info.json`} href={`${service.id}/info.json`} />
      )}
    </section>
  );
}

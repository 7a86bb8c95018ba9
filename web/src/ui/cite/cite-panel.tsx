/** The panel for citing, downloading, embedding, and the addresses that developers need, a tab for each. */
import { computed, type Signal, signal, useSignal } from '@preact/signals';
import { FileDown, RotateCcw } from 'lucide';
import type { VNode } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { citationFieldsOf } from '../../../../src/core/image/folder/citation-fields.ts';
import { plainText } from '../../../../src/core/image/folder/page-labels.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { foreignImage } from '../../data/images.ts';
import { baseAddress } from '../../data/page-settings.ts';
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { withinAddress } from '../../model/address/address.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { chapterAround, imageRoute, viewRoute } from '../../model/address/routes.ts';
import {
  bibtexText,
  type CitationFormat,
  type CitedPage,
  citationMediaTypes,
  elementTag,
  frameTag,
  imageTag,
  risText,
} from '../../model/cite/citation.ts';
import { encodeContent, formatContentState, timedContentState } from '../../model/cite/content-states.ts';
import { type DownloadChoice, pixelsOfRegion, scalerQuery } from '../../model/cite/picture-address.ts';
import { regionAddress } from '../../model/manifest/foreign-service.ts';
import { canvasAddress, manifestAddress, onCanvas } from '../../state/notes/page-annotations.ts';
import { facts, type Opened, openedNow } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { citeTab, citeTabs, hasText, isPlayed } from '../../state/tools.ts';
import { namedView, pictured } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { citationOf, editCitation, isEdited, resetCitation } from '../common/citations.ts';
import { saveFile } from '../common/elements.ts';
import { CheckBox } from '../common/fields.tsx';
import { lazilyQuiet } from '../common/loading.tsx';
import { RightsNote } from '../common/rights-note.tsx';
import { Tabs } from '../common/tabs.tsx';
import { CopyButton, CopyRow, TakeLink } from '../common/take-along.tsx';
import { describeView, firstChoice, PictureAddresses, PictureSection } from './picture-section.tsx';

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
  hasTexts() && !namedView.value.withTexts ? <CheckBox chosen={withTexts} text={message('cite-with-texts')} /> : null;

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
  const chosen = useSignal(firstChoice);
  // Within the task of the rendering: a later effect would undo a choice that was made before it ran.
  useLayoutEffect(() => {
    withTexts.value = false;
  }, []);
  const opened = openedNow();
  if (opened === undefined) return null;
  const address = viewAddress(false);
  const shown = { opened, address, image: facts.value, foreign: isForeign(opened.path), chosen };
  const contents = {
    cite: { name: message('short-cite'), content: () => <CiteTab {...shown} /> },
    download: { name: message('download'), content: () => <DownloadTab {...shown} /> },
    embed: { name: message('embed-tab'), content: () => <WebSection opened={opened} /> },
    developers: { name: message('developers-tab'), content: () => <DevelopersTab {...shown} /> },
  };
  return (
    <div class="cite">
      <Tabs name={message('panel-cite')} selected={citeTab} tabs={citeTabs.map((tab) => contents[tab])} />
    </div>
  );
}

interface TabProps {
  readonly opened: Opened;
  readonly address: string;
  readonly image: Size | undefined;
  /** Whether the image is from another host. */
  readonly foreign: boolean;
  readonly chosen: Signal<DownloadChoice>;
}

const CiteTab = ({ opened, address }: TabProps): VNode => (
  <>
    <ViewSection opened={opened} address={address} />
    <CitationSection opened={opened} address={address} />
  </>
);

const DownloadTab = ({ opened, image, foreign, chosen }: TabProps): VNode => (
  <>
    {image && !foreign && <PictureSection opened={opened} image={image} chosen={chosen} />}
    {image && foreign && !isPlayed.value && <ForeignPicture opened={opened} image={image} />}
    {!foreign && <TakeSection opened={opened} />}
  </>
);

function DevelopersTab({ opened, image, foreign, chosen }: TabProps): VNode {
  const manifest = manifestAddress(opened);
  return (
    <>
      <section class="panel-section">
        <h3>IIIF</h3>
        <CopyRow name={message('cite-manifest')} text={manifest} href={manifest} />
        {isPlayed.value ? (
          <TimedContentState opened={opened} />
        ) : (
          image && <ContentStateRows opened={opened} image={image} />
        )}
      </section>
      {image && !foreign && <PictureAddresses opened={opened} image={image} chosen={chosen} />}
    </>
  );
}

const PageRange = lazilyQuiet(async () => (await import('../take/page-range.tsx')).PageRange);

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
function TakeSection({ opened }: { readonly opened: Opened }): VNode | null {
  const { folder, at, images, card } = opened;
  const { path } = folder;
  const chapter = chapterAround(folder.contents, at, images.total);
  const isTaken = card.tier?.documents !== false;
  if (!isTaken && !hasText.value) return null;
  return (
    <section class="panel-section">
      <h3>{message('take-along')}</h3>
      <div class="downloads">
        {isTaken && <TakeLink form="pdf" folder={path} at={[at]} name={message('pdf-page')} />}
        {isTaken && chapter && <TakeLink form="pdf" folder={path} at={chapter.at} name={message('pdf-chapter')} />}
        {isTaken && <TakeLink form="pdf" folder={path} name={message('pdf-all')} />}
        {isTaken && <TakeLink form="zip" folder={path} name={message('zip-all')} />}
        {hasText.value && <TakeLink form="txt" folder={path} name={message('text-all')} />}
      </div>
      {images.total > 1 && (
        <PageRange folder={path} total={images.total} offers={{ documents: isTaken, texts: hasText.value }} />
      )}
      <RightsNote folder={folder} />
      {isTaken && chapter && <p class="soft">{message('pdf-chapter-name', { chapter: chapter.label })}</p>}
    </section>
  );
}

/** The moment of sound or video that the address has, for other programs. */
function TimedContentState({ opened }: { readonly opened: Opened }): VNode | null {
  const page = foreignImage(opened.path)?.page;
  if (page === undefined) return null;
  const json = timedContentState(manifestAddress(opened), page.canvasId, copied.value.time);
  return <CopyRow name="Content State" text={encodeContent(json)} />;
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

const QuoteButton = lazilyQuiet(async () => (await import('../text/region-text.tsx')).QuoteButton);

/**
 * The citation of the view, which the reader can edit before it is copied or saved for programs that keep references.
 */
function CitationSection({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode {
  const id = useId();
  const { path } = opened;
  const text = citationOf(opened, address);
  return (
    <section class="panel-section">
      <h3>{message('citation')}</h3>
      <label class="off-screen" for={id}>
        {message('citation-edit')}
      </label>
      <textarea
        id={id}
        class="citation"
        rows={5}
        value={text}
        onInput={({ currentTarget }) => editCitation(path, { text: currentTarget.value, address })}
      />
      <div class="button-row row wrap">
        <CopyButton text={() => text} name={message('copy-citation')} />
        {hasText.value && <QuoteButton opened={opened} address={address} />}
        {isEdited(path) && (
          <Button icon={RotateCcw} onClick={() => resetCitation(path)}>
            {message('citation-reset')}
          </Button>
        )}
      </div>
      <CitationFiles opened={opened} address={address} />
    </section>
  );
}

function citedPage({ folder, card }: Opened, address: string): CitedPage {
  const metadata = folder.metadata.map(({ label, value }) => ({ label: plainText(label), value: { none: value } }));
  return {
    fields: citationFieldsOf({ metadata }, []),
    title: folder.title,
    label: card.label,
    holder: folder.attribution.join(', '),
    rights: folder.rights ?? '',
    address,
    accessed: new Date().toISOString().slice(0, 10),
  };
}

function save(opened: Opened, address: string, format: CitationFormat): void {
  const cited = citedPage(opened, address);
  const text = format === 'ris' ? risText(cited) : bibtexText(cited);
  const stem =
    opened.path
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/, '') || 'citation';
  saveFile(new Blob([text], { type: citationMediaTypes[format] }), `${stem}.${format}`);
}

const CitationFiles = ({ opened, address }: { readonly opened: Opened; readonly address: string }): VNode => (
  <div class="button-row row wrap">
    <Button icon={FileDown} onClick={() => save(opened, address, 'ris')}>
      {message('citation-file', { format: 'RIS' })}
    </Button>
    <Button icon={FileDown} onClick={() => save(opened, address, 'bib')}>
      {message('citation-file', { format: 'BibTeX' })}
    </Button>
  </div>
);

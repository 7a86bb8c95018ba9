/** The page of an image with the tools around it, what it announces, and how it is printed. */
import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { foreignImage } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { recordPages } from '../../state/desk/recorder.ts';
import { pageLayers } from '../../state/layers.ts';
import { open, openedNow, openState } from '../../state/opened.ts';
import { shownLabel } from '../../state/pages.ts';
import { addressOfRoute, hasNavigated } from '../../state/route.ts';
import { filmstripOn } from '../../state/stored-preferences.ts';
import { canSearch, type DialogName, dialog, embedOptions, hasText, isPlayed, panel } from '../../state/tools.ts';
import { stage, view } from '../../state/view.ts';
import { currentPercent, namedView } from '../../state/viewport.ts';
import { useAfterPause, usePrintKey } from '../common/elements.ts';
import { lazily, lazilyQuiet, ProblemNotice, SuggestedLinks } from '../common/loading.tsx';
import { titleOf, useDocumentTitle } from '../common/picture.tsx';
import { RightsNote } from '../common/rights-note.tsx';
import { formatCount } from '../common/words.ts';
import { StripHead } from '../contents/scrubber.tsx';
import { FrameMessages, WheelHint } from '../embed/embedding.tsx';
import { PictureFrame } from '../overlay/stage-overlay.tsx';
import { printView, renderWhilePrinting } from '../print/print-view.tsx';
import { Filmstrip } from './filmstrip.tsx';
import { useKeyboard } from './keyboard.ts';
import { Opening } from './opening.tsx';
import { PageSides, useSwipe } from './page-turning.tsx';
import { StageHost } from './stage-host.tsx';
import { NotesOnStage, SidePanel, ToolRail } from './tools-and-panel.tsx';
import { ViewBar } from './view-bar.tsx';
import { Magnifier, Navigator, ZoomArea, ZoomBar } from './zoom-tools.tsx';

const MediaPage = lazily(async () => (await import('../media/media-page.tsx')).MediaPage);
const CollectionPage = lazily(async () => (await import('../collection/collection-page.tsx')).CollectionPage);
const ForeignNotice = lazily(async () => (await import('./foreign-notice.tsx')).ForeignNotice);
const MapView = lazily(async () => (await import('../map/map-view.tsx')).MapView);
const WholeBook = lazily(async () => (await import('../contents/whole-book.tsx')).WholeBook);
const AnnotationShapes = lazilyQuiet(
  async () => (await import('../annotations/annotations-panel.tsx')).AnnotationShapes,
);
const LayersOnStage = lazilyQuiet(async () => (await import('../layers/layers-on-stage.tsx')).LayersOnStage);
const TourPlayer = lazilyQuiet(async () => (await import('../tour/tour-player.tsx')).TourPlayer);
const ReadingPage = lazily(async () => (await import('../text/reading-page.tsx')).ReadingPage);
const PaintedTexts = lazilyQuiet(async () => (await import('../layers/layers-on-stage.tsx')).PaintedTexts);
const TextLayer = lazilyQuiet(async () => (await import('../text/text-layer.tsx')).TextLayer);
const BookSearch = lazilyQuiet(async () => (await import('../text/text-layer.tsx')).BookSearch);
const KeyboardHelp = lazily(async () => (await import('./dialogs.tsx')).KeyboardHelp);
const Calibration = lazily(async () => (await import('./dialogs.tsx')).Calibration);

const dialogs: Readonly<Record<DialogName, ComponentType>> = { keyboard: KeyboardHelp, calibration: Calibration };

function OpenDialog(): VNode | null {
  if (dialog.value === undefined) return null;
  const Content = dialogs[dialog.value];
  return <Content />;
}

function useTitle(): void {
  const opened = openedNow();
  const label = shownLabel();
  useDocumentTitle(...(opened === undefined ? [] : [label, titleOf(opened.folder)]));
}

/** Moves the focus of the keyboard to the image, where the link that led here is gone. */
function useArrival(): void {
  const element = stage.value?.focusElement;
  useEffect(() => {
    if (hasNavigated() && document.activeElement === document.body) element?.focus({ preventScroll: true });
  }, [element]);
}

function classesOf(embedded: boolean): string {
  const classes = {
    embedded,
    [`toolbar-${embedOptions.value.toolbar}`]: embedded,
    'with-panel': panel.value !== undefined,
    'two-pages': view.value.twoPages === true,
  };
  const set = Object.entries(classes).flatMap(([name, isSet]) => (isSet ? [name] : []));
  return ['viewer', ...set].join(' ');
}

/** Writes down at the desk what is open; not for the pages of others, in which the viewer is embedded. */
const useDesk = (embedded: boolean): void => useEffect(() => (embedded ? undefined : recordPages()), [embedded]);

/** What is open: the image with what lies on it, a player, or a whole book; or why it is not open. */
function Shown({ embedded }: { readonly embedded: boolean }): VNode {
  const now = openState.value;
  const opened = openedNow();
  const { layout, fn } = view.value;
  if (now.kind === 'problem') {
    const { problem } = now;
    const suggests = problem === 'not-found' && !embedded;
    return (
      <ProblemNotice problem={problem} onRetry={() => void open()} isWhole={opened === undefined}>
        {isForeign(fn) ? <ForeignNotice path={fn} /> : suggests && <SuggestedLinks path={fn} />}
      </ProblemNotice>
    );
  }
  const texts = foreignImage(opened?.path ?? '')?.page.paintedTexts ?? [];
  if (opened && layout === 'text') return <ReadingPage key={opened.folder.path} opened={opened} />;
  if (opened && layout === 'map' && !isPlayed.value) return <MapView opened={opened} />;
  if (opened && layout !== 'page') return <WholeBook opened={opened} layout={layout} />;
  if (opened && isPlayed.value) return <MediaPage path={opened.path} />;
  return (
    <StageHost>
      <Opening />
      <PageSides />
      {texts.length > 0 && <PaintedTexts texts={texts} />}
      {hasText.value && <TextLayer />}
      {pageLayers.value.length > 0 && <LayersOnStage />}
      {panel.value === 'annotations' && <AnnotationShapes />}
      <NotesOnStage />
      <PictureFrame />
      <ZoomArea />
      <Magnifier />
    </StageHost>
  );
}

interface ViewPageProps {
  readonly embedded: boolean;
}

/** A collection of another host is a page as those of folders are. */
export function ViewPage({ embedded }: ViewPageProps): VNode {
  const now = openState.value;
  if (now.kind !== 'collection') return <Viewer embedded={embedded} />;
  return <CollectionPage key={now.collection.path} collection={now.collection} embedded={embedded} />;
}

function Viewer({ embedded }: ViewPageProps): VNode {
  useTitle();
  useKeyboard();
  useSwipe();
  useArrival();
  useDesk(embedded);
  const now = openState.value;
  const opened = openedNow();
  const hasStage = now.kind === 'open' && view.value.layout === 'page' && !isPlayed.value;
  return (
    <div class={classesOf(embedded)}>
      <ViewBar embedded={embedded} />
      <ToolRail embedded={embedded} />
      <main id="content" class="stage-area" tabIndex={-1}>
        {opened && <h1 class="stage-label clip through">{shownLabel()}</h1>}
        <Shown embedded={embedded} />
        {now.kind === 'opening' && (
          <p class="stage-note muted through" role="status">
            {message('loading')}
          </p>
        )}
        {hasStage && <Navigator />}
        {hasStage && <ZoomBar />}
        {embedded && opened && <RightsNote folder={opened.folder} isShort />}
      </main>
      {view.value.tour !== undefined && <TourPlayer />}
      <SidePanel />
      <Announcements />
      {canSearch.value && view.value.search !== '' && <BookSearch />}
      <SourceNote />
      <Printing />
      <OpenDialog />
      {embedded && <FrameMessages />}
      {embedded && <WheelHint />}
      {filmstripOn.value && !embedded && opened && opened.images.total > 1 && (
        <div class="strip">
          <div class="strip-slot">
            <StripHead opened={opened} />
          </div>
          <Filmstrip opened={opened} />
        </div>
      )}
    </div>
  );
}

/** The caption of a printed page: the label of the image and the address of the view. */
function SourceNote(): VNode | null {
  const opened = openedNow();
  if (opened === undefined) return null;
  const { folder, card } = opened;
  return (
    <p class="source-note print-only">
      {[folder.title, card.label].filter((text) => text !== '').join(', ')}
      <br />
      {addressOfRoute(viewRoute(namedView.value))}
    </p>
  );
}

/** Delay after the last change until it is announced, in ms. */
const pauseMs = 700;

/** The text after the delay; not the first one, since the page itself says it. */
function useAnnouncement(text: string): string {
  const announced = useSignal({ now: '', isChange: false });
  useEffect(() => {
    if (announced.peek().now === '') announced.value = { now: text, isChange: false };
  }, [text]);
  const announce = (): void => {
    if (announced.peek().now !== text) announced.value = { now: text, isChange: true };
  };
  useAfterPause(announce, pauseMs, [text]);
  return announced.value.isChange ? announced.value.now : '';
}

function pageText(): string {
  const opened = openedNow();
  if (opened === undefined) return '';
  const { at, images } = opened;
  return message('page-arrived', { at, total: formatCount(images.total), label: shownLabel() });
}

/** Announces to screen readers which page is open, and the scale of the image. */
function Announcements(): VNode {
  const page = useAnnouncement(pageText());
  const size = useAnnouncement(currentPercent.value && message('zoom-arrived', { percent: currentPercent.value }));
  return (
    <div class="off-screen">
      <p role="status">{page}</p>
      <p role="status">{size}</p>
    </div>
  );
}

const print = (): void => void printView();

/** Prepares the printed page of a view, and takes the browser's shortcut for printing. */
function Printing(): VNode {
  const host = useRef<HTMLElement>(null);
  useEffect(() => (host.current === null ? undefined : renderWhilePrinting(host.current)), []);
  usePrintKey(print);
  return <main class="print-sheet print-only" ref={host} />;
}

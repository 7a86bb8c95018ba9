/** The page of compared images: beside each other, or two over each other. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/messages.ts';
import { compareRoute } from '../../model/address/routes.ts';
import { pageBeside } from '../../state/book-pages.ts';
import { followView } from '../../state/linked-stages.ts';
import { shownArrangement } from '../../state/notes/sketch.ts';
import { openedAt, openedNow } from '../../state/opened.ts';
import { bookAt } from '../../state/pages.ts';
import { addressOfRoute } from '../../state/route.ts';
import { dialog, panel, tool } from '../../state/tools.ts';
import { active, comparisonNow, followChanges, setActive, views } from '../../state/view.ts';
import { Dialog } from '../common/dialog.tsx';
import { useSize } from '../common/elements.ts';
import { ImagePicker } from '../common/image-picker.tsx';
import { lazily } from '../common/loading.tsx';
import { useDocumentTitle } from '../common/picture.tsx';
import { useShortcuts } from '../view/keyboard.ts';
import { NotesOnStage, SidePanel } from '../view/tools-and-panel.tsx';
import { ZoomBar } from '../view/zoom-tools.tsx';
import { AlignHint, CompareBar, CompareRail, comparePanels, PairSelects, PositionSlider } from './compare-bar.tsx';
import { addImage, compareShortcuts } from './compare-keys.ts';
import { EdgeHandle, Pane } from './pane.tsx';
import { areaOf, columnsFor, fewPanes, overlayingOf, usePlacements } from './pane-effects.ts';

const KeyboardHelp = lazily(async () => (await import('../view/dialogs.tsx')).KeyboardHelp);
const Calibration = lazily(async () => (await import('../view/dialogs.tsx')).Calibration);

const labels = (): string =>
  views.value.map(({ fn }, index) => openedAt(index)?.card.label || fn.split('/').at(-1) || fn).join(' · ');

function useTitle(): void {
  const text = labels();
  useDocumentTitle(text === '' ? message('compare') : message('compare-title', { labels: text }));
}

/** The images follow each other while the page is open; a tool of this page does not outlive it. */
function useLinks(): void {
  useEffect(() => {
    const unlink = followChanges(followView);
    return () => {
      unlink();
      if (tool.peek() === 'align') tool.value = 'move';
    };
  }, []);
  // Two images over each other hide the others, on which nothing could be seen to change.
  useSignalEffect(() => {
    const { layout, pair } = shownArrangement.value;
    if (layout !== 'beside' && !pair.includes(active.value)) setActive(pair[1]);
  });
}

/** The width of a page divided by its height, until its size is known. */
const usualShape = 0.75;

/** The shapes of the images in all cells, of which one is for choosing an image where there is none beside. */
function shapes(): readonly number[] {
  const count = views.value.length;
  return Array.from({ length: count === 1 ? 2 : Math.max(count, 1) }, (_, index) => {
    const { width = null, height = null } = openedAt(index)?.card ?? {};
    const book = bookAt(index);
    const pages = book && pageBeside(book) ? 2 : 1;
    return pages * (width === null || height === null ? usualShape : width / height);
  });
}

/** What fits on a sheet of A4 and of Letter, both in landscape, inside of the margins and above the address: CSS pixels. */
const sheet = { width: 960, height: 610 };

/** The images are printed as they are on the screen, scaled to a sheet (compare.css). */
function printStyles({ width, height }: Size): Readonly<Record<string, string>> {
  const zoom = Math.min(sheet.width / Math.max(width, 1), sheet.height / Math.max(height, 1));
  return { '--screen-width': `${width}px`, '--screen-height': `${height}px`, '--print-zoom': zoom.toFixed(4) };
}

/** The caption of a printed comparison: the labels of the images, and the address. */
const PrintedSource = (): VNode => (
  <p class="source-note print-only">
    {labels()}
    <br />
    {addressOfRoute(compareRoute(comparisonNow()))}
  </p>
);

/** Where the picker begins: in the folder of the active image. */
const nearFolder = (): string => openedNow()?.folder.path ?? '';

/** The tools and notes of the active image, over its stage. */
function ActiveLayer({ area }: { readonly area: string }): VNode {
  const overlaying = overlayingOf(shownArrangement.value, active.value, active.value);
  return (
    <div class="active-layer" style={{ gridArea: area, ...overlaying?.notes }}>
      <NotesOnStage />
    </div>
  );
}

function Panes(): VNode {
  const element = useRef<HTMLElement>(null);
  const size = useSize(element, { width: innerWidth, height: innerHeight });
  const arrangement = shownArrangement.value;
  const { layout } = arrangement;
  const count = views.value.length;
  const columns = layout === 'beside' ? columnsFor(shapes(), size.value) : 1;
  const cellOf = (index: number): string => (layout === 'beside' ? areaOf(index, columns) : '1 / 1');
  return (
    <main
      id="content"
      class={layout === 'beside' ? 'panes' : 'panes overlaid'}
      data-layout={layout}
      data-many={layout === 'beside' && count > fewPanes}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, ...printStyles(size.value) }}
      tabIndex={-1}
      ref={element}
    >
      <h1 class="off-screen">{message('compare-title', { labels: labels() })}</h1>
      {views.value.map((_, index) => (
        <Pane
          key={index}
          index={index}
          area={cellOf(index)}
          overlaying={overlayingOf(arrangement, index, active.value)}
        />
      ))}
      {count > 0 && <ActiveLayer area={cellOf(active.value)} />}
      {layout === 'slider' && (
        <div class="edge-layer" style={{ gridArea: cellOf(0) }}>
          <EdgeHandle />
        </div>
      )}
      {count < 2 && (
        <section class="pane picker-pane" style={{ gridArea: areaOf(count, columns) }}>
          <h2>{message(count === 0 ? 'compare-choose-first' : 'compare-choose')}</h2>
          <ImagePicker key={nearFolder()} folder={nearFolder()} onChoose={addImage} onBook={addImage} />
        </section>
      )}
    </main>
  );
}

function Foot(): VNode | null {
  const { layout } = shownArrangement.value;
  if (views.value.length === 0) return null;
  return (
    <section class="compare-foot row wrap" aria-label={message('zoom')}>
      <ZoomBar />
      {(layout === 'slider' || layout === 'blend') && <PositionSlider />}
      {layout !== 'beside' && views.value.length > 2 && <PairSelects />}
    </section>
  );
}

function OpenDialog(): VNode | null {
  if (dialog.value === undefined) return null;
  return dialog.value === 'keyboard' ? <KeyboardHelp of={compareShortcuts} /> : <Calibration />;
}

const ActiveStatus = (): VNode => (
  <p class="off-screen" role="status">
    {views.value.length > 1
      ? message('compare-active', { number: active.value + 1, label: openedNow()?.card.label ?? '' })
      : ''}
  </p>
);

export function ComparePage(): VNode {
  useTitle();
  useLinks();
  usePlacements();
  useShortcuts(compareShortcuts);
  const isAdding = useSignal(false);
  const hasPanel = panel.value !== undefined && comparePanels.has(panel.value) && views.value.length > 0;
  const close = (): void => {
    isAdding.value = false;
  };
  const choose = (path: string): void => {
    close();
    addImage(path);
  };
  return (
    <div class={`viewer compare ${hasPanel ? 'with-panel' : ''}`}>
      <CompareBar
        onAdd={() => {
          isAdding.value = true;
        }}
      />
      {views.value.length > 0 && <CompareRail />}
      <div class="stage-area">
        <AlignHint />
        <Panes />
        <Foot />
        <PrintedSource />
      </div>
      {hasPanel && <SidePanel of={comparePanels} />}
      <ActiveStatus />
      <OpenDialog />
      {isAdding.value && (
        <Dialog title={message('compare-choose')} onClose={close}>
          <ImagePicker folder={nearFolder()} onChoose={choose} onBook={choose} />
        </Dialog>
      )}
    </div>
  );
}

/** The page of an image, with the tools around it. */
import '../../styles/view.css';
import '../../styles/panel.css';
import '../../styles/filmstrip.css';
import '../../styles/dialogs.css';
import '../../styles/small-view.css';
import '../../styles/embed.css';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { isForeign } from '../../model/address/foreign-path.ts';
import { open, openedNow, openState } from '../../state/opened.ts';
import { shownLabel } from '../../state/pages.ts';
import { hasNavigated } from '../../state/route.ts';
import { stage } from '../../state/stages.ts';
import { filmstripOn } from '../../state/stored-preferences.ts';
import { canSearch, type DialogName, dialog, embedOptions, hasText, panel } from '../../state/tools.ts';
import { view } from '../../state/view.ts';
import { titleOf } from '../common/folder-title.ts';
import { lazily, lazilyQuiet } from '../common/lazy.tsx';
import { ProblemNotice } from '../common/problem.tsx';
import { documentTitle } from '../common/site-name.ts';
import { SuggestedLinks } from '../common/suggested-links.tsx';
import { FrameMessages } from '../embed/frame-bridge.tsx';
import { WheelHint } from '../embed/wheel-hint.tsx';
import { NotesOnStage } from '../overlay/notes-on-stage.tsx';
import { PictureFrame } from '../overlay/picture-frame.tsx';
import { Announcements } from './announcements.tsx';
import { Filmstrip } from './filmstrip.tsx';
import { useKeyboard } from './keyboard.ts';
import { Magnifier } from './magnifier.tsx';
import { Navigator } from './navigator.tsx';
import { PageSides } from './page-sides.tsx';
import { Printing } from './printing.tsx';
import { SidePanel } from './side-panel.tsx';
import { SourceNote } from './source-note.tsx';
import { StageHost } from './stage-host.tsx';
import { useSwipe } from './swipe.ts';
import { ToolRail } from './tool-rail.tsx';
import { ViewBar } from './view-bar.tsx';
import { ZoomArea } from './zoom-area.tsx';
import { ZoomBar } from './zoom-bar.tsx';

const ForeignNotice = lazily(async () => (await import('./foreign-notice.tsx')).ForeignNotice);
const AnnotationShapes = lazilyQuiet(
  async () => (await import('../annotations/annotation-shapes.tsx')).AnnotationShapes,
);
const TextLayer = lazilyQuiet(async () => (await import('../text/text-layer.tsx')).TextLayer);
const BookSearch = lazilyQuiet(async () => (await import('../text/book-search.tsx')).BookSearch);
const KeyboardHelp = lazily(async () => (await import('./keyboard-help.tsx')).KeyboardHelp);
const Calibration = lazily(async () => (await import('./calibration.tsx')).Calibration);

const dialogs: Readonly<Record<DialogName, ComponentType>> = { keyboard: KeyboardHelp, calibration: Calibration };

function OpenDialog(): VNode | null {
  if (dialog.value === undefined) return null;
  const Content = dialogs[dialog.value];
  return <Content />;
}

function useTitle(): void {
  const opened = openedNow();
  const label = shownLabel();
  useEffect(() => {
    document.title = opened === undefined ? documentTitle() : documentTitle(label, titleOf(opened.folder));
  }, [opened, label]);
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

export function ViewPage({ embedded }: { readonly embedded: boolean }): VNode {
  useTitle();
  useKeyboard();
  useSwipe();
  useArrival();
  const now = openState.value;
  const opened = openedNow();
  return (
    <div class={classesOf(embedded)}>
      <ViewBar embedded={embedded} />
      <ToolRail embedded={embedded} />
      <main id="content" class="stage-area" tabIndex={-1}>
        {opened && <h1 class="stage-label">{shownLabel()}</h1>}
        {now.kind === 'problem' ? (
          <ProblemNotice problem={now.problem} onRetry={() => void open()} isWhole={opened === undefined}>
            {isForeign(view.value.fn) ? (
              <ForeignNotice path={view.value.fn} problem={now.problem} />
            ) : (
              now.problem === 'not-found' && !embedded && <SuggestedLinks path={view.value.fn} />
            )}
          </ProblemNotice>
        ) : (
          <StageHost>
            <PageSides />
            {hasText.value && <TextLayer />}
            {panel.value === 'annotations' && <AnnotationShapes />}
            <NotesOnStage />
            <PictureFrame />
            <ZoomArea />
            <Magnifier />
          </StageHost>
        )}
        {now.kind === 'opening' && (
          <p class="stage-note" role="status">
            {message('loading')}
          </p>
        )}
        {now.kind === 'open' && <Navigator />}
        {now.kind === 'open' && <ZoomBar />}
      </main>
      <SidePanel />
      <Announcements />
      {canSearch.value && view.value.search !== '' && <BookSearch />}
      <SourceNote />
      <Printing />
      <OpenDialog />
      {embedded && <FrameMessages />}
      {embedded && <WheelHint />}
      {filmstripOn.value && !embedded && opened && opened.images.total > 1 && <Filmstrip opened={opened} />}
    </div>
  );
}

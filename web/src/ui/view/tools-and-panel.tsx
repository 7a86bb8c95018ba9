/** The tools beside the image, and the panel that they open. */
import { useSignal } from '@preact/signals';
import {
  Download,
  Ellipsis,
  Hand,
  type IconNode,
  Info,
  Layers,
  ListTree,
  MessageSquareText,
  Quote,
  RotateCcw,
  Route,
  Ruler,
  ScanSearch,
  ScanText,
  Search,
  SlidersHorizontal,
  SquarePen,
  TextInitial,
  TextSearch,
  X,
} from 'lucide';
import { type ComponentChildren, type ComponentType, Fragment, type RefObject, type VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { isEmpty } from '../../model/notes/own-notes.ts';
import { hasChapters } from '../../state/contents.ts';
import { pageLayers } from '../../state/layers.ts';
import { canRedo, canUndo, notes } from '../../state/notes/notes.ts';
import { isDrawing } from '../../state/notes/sketch.ts';
import { openedNow } from '../../state/opened.ts';
import {
  canSearch,
  citeTab,
  citeTabs,
  hasText,
  isPlayed,
  type PanelName,
  panel,
  selectsText,
  selectText,
  toggleCite,
  togglePanel,
  toggleSelectsText,
  toggleTool,
  tool,
} from '../../state/tools.ts';
import { resetView, stage } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { fields, moveByArrows, useOneStop } from '../common/elements.ts';
import { lazily, lazilyQuiet } from '../common/loading.tsx';
import { SearchPanel } from '../text/search-panel.tsx';

const pointerTools = [
  ['zoom-area', ScanSearch, 'Z'],
  ['magnifier', Search, 'L'],
] as const;

/** What the panels are for: reading a page, studying it, and taking it along. */
const panelGroups: readonly (readonly [
  name: 'tools-read' | 'tools-study' | 'tools-share',
  panels: readonly PanelName[],
])[] = [
  ['tools-read', ['contents', 'text', 'search', 'adjust', 'layers']],
  ['tools-study', ['notes', 'measure', 'annotations']],
  ['tools-share', ['cite', 'tour', 'about']],
];

/** On phones, four of these have space beside the button that shows all tools. */
const firstOnPhones: readonly PanelName[] = ['contents', 'text', 'adjust', 'notes', 'cite', 'measure'];

const phoneCount = 4;

/** Only where the page has a text. */
const TextTool = (): VNode | null =>
  hasText.value ? (
    <IconButton
      tool
      class="text-tool"
      icon={ScanText}
      name={message('tool-text')}
      word={message('short-text-tool')}
      shortcut="S"
      pressed={selectsText.value}
      onClick={toggleSelectsText}
    />
  ) : null;

const PointerTools = (): VNode => (
  <>
    <IconButton
      tool
      class="quiet"
      icon={Hand}
      name={message('tool-move')}
      word={message('short-move')}
      pressed={tool.value === 'move' && !selectsText.value}
      onClick={() => selectText(false)}
    />
    <TextTool />
    {pointerTools.map(([name, icon, shortcut]) => (
      <IconButton
        key={name}
        tool
        icon={icon}
        name={message(`tool-${name}`)}
        word={message(`short-${name}`)}
        shortcut={shortcut}
        pressed={tool.value === name}
        onClick={() => toggleTool(name)}
      />
    ))}
  </>
);

/** Whether the manifest of the page names annotations. */
function hasAnnotations(): boolean {
  const opened = openedNow();
  return opened?.card.annotated.includes(opened.inner) ?? false;
}

/** What a panel needs that not every page has. */
const conditions: Readonly<Partial<Record<PanelName, () => boolean>>> = {
  // Sound and video have no colors to adjust and no lengths; the player lists their annotations and chapters.
  adjust: () => !isPlayed.value,
  notes: () => !isPlayed.value,
  tour: () => !isPlayed.value,
  measure: () => !isPlayed.value,
  annotations: () => hasAnnotations() && !isPlayed.value,
  contents: () => hasChapters.value && !isPlayed.value,
  layers: () => pageLayers.value.length > 0,
  text: () => hasText.value,
  search: () => canSearch.value,
};

const isOffered = (name: PanelName, embedded: boolean): boolean =>
  (name !== 'about' || !embedded) && (conditions[name]?.() ?? true);

export function ToolRail({ embedded }: { readonly embedded: boolean }): VNode {
  const isShown = (name: PanelName): boolean => isOffered(name, embedded);
  const first = firstOnPhones.filter(isShown).slice(0, phoneCount);
  return (
    <ToolRow folds>
      {panelGroups.map(([group, names]) => (
        <>
          {group !== 'tools-read' && <span class="rail-gap" />}
          <fieldset key={group} class="tool-group" aria-label={message(group)}>
            {group === 'tools-read' && !isPlayed.value && <PointerTools />}
            <PanelButtons names={names.filter(isShown)} first={first} />
          </fieldset>
        </>
      ))}
    </ToolRow>
  );
}

/** The icon of each panel, and its key as `keyboard.ts` has it. */
const panelButtons: Readonly<Record<PanelName, readonly [icon: IconNode, shortcut: string]>> = {
  contents: [ListTree, 'Shift+C'],
  adjust: [SlidersHorizontal, 'A'],
  layers: [Layers, 'Y'],
  notes: [SquarePen, 'M'],
  measure: [Ruler, 'D'],
  cite: [Quote, 'C'],
  annotations: [MessageSquareText, 'O'],
  text: [TextInitial, 'E'],
  search: [TextSearch, '/'],
  tour: [Route, 'Shift+T'],
  about: [Info, 'I'],
};

interface PanelButtonsProps {
  readonly names: readonly PanelName[];
  /** Those that phones show. */
  readonly first?: readonly PanelName[];
}

const isAtDownload = (): boolean => panel.value === 'cite' && citeTabs[citeTab.value] === 'download';

/** Opens the panel about citing at what can be downloaded. */
const DownloadButton = (): VNode => (
  <IconButton
    icon={Download}
    name={message('download')}
    word={message('short-download')}
    shortcut="Shift+F"
    pressed={isAtDownload()}
    onClick={() => toggleCite('download')}
  />
);

/** The buttons of some panels. */
export const PanelButtons = ({ names, first = [] }: PanelButtonsProps): VNode => (
  <>
    {names.map((name) => (
      <Fragment key={name}>
        <IconButton
          class={first.includes(name) ? 'first' : ''}
          icon={panelButtons[name][0]}
          name={message(`panel-${name}`)}
          word={message(`short-${name}`)}
          shortcut={panelButtons[name][1]}
          pressed={panel.value === name && (name !== 'cite' || !isAtDownload())}
          onClick={() => (name === 'cite' ? toggleCite('cite') : togglePanel(name))}
        />
        {name === 'cite' && <DownloadButton />}
      </Fragment>
    ))}
  </>
);

interface ToolRowProps {
  readonly children: ComponentChildren;
  /** Whether phones show the first tools alone, and a button for all of them. */
  readonly folds?: boolean;
}

/** A stop of the keyboard with its buttons, and the one that resets the view at their end. */
export function ToolRow({ children, folds = false }: ToolRowProps): VNode {
  const row = useRef<HTMLDivElement>(null);
  const showsAll = useSignal(false);
  useOneStop(row);
  const classes = ['tool-rail', ...(folds ? ['folds'] : []), ...(showsAll.value ? ['shows-all'] : [])];
  // A chosen tool is what the reader wanted to see of all.
  const fold = ({ target }: Event): void => {
    if (target instanceof Element && target.closest('.icon-button:not(.all-tools)')) showsAll.value = false;
  };
  return (
    <section class={classes.join(' ')} aria-label={message('tools')}>
      <div role="toolbar" ref={row} onKeyDown={moveByArrows} onClick={fold}>
        {children}
        <span class="rail-gap" />
        <IconButton
          icon={RotateCcw}
          name={message('reset-view')}
          word={message('short-reset')}
          shortcut="Backspace"
          onClick={resetView}
        />
        {folds && (
          <IconButton
            class="all-tools"
            icon={Ellipsis}
            name={message('all-tools')}
            word={message('short-all')}
            pressed={showsAll.value}
            onClick={() => {
              showsAll.value = !showsAll.value;
            }}
          />
        )}
      </div>
    </section>
  );
}

const panelContents: Readonly<Record<PanelName, ComponentType>> = {
  contents: lazily(async () => (await import('../contents/contents-panel.tsx')).ContentsPanel),
  adjust: lazily(async () => (await import('../adjust/adjust-panel.tsx')).AdjustPanel),
  layers: lazily(async () => (await import('../layers/layers-panel.tsx')).LayersPanel),
  notes: lazily(async () => (await import('../notes/notes-panel.tsx')).NotesPanel),
  measure: lazily(async () => (await import('../measure/measure-panel.tsx')).MeasurePanel),
  cite: lazily(async () => (await import('../cite/cite-panel.tsx')).CitePanel),
  annotations: lazily(async () => (await import('../annotations/annotations-panel.tsx')).AnnotationsPanel),
  text: lazily(async () => (await import('../text/text-panel.tsx')).TextPanel),
  // Loaded with the page: what is typed right after its key belongs into its field.
  search: SearchPanel,
  tour: lazily(async () => (await import('../tour/tour-panel.tsx')).TourPanel),
  about: lazily(async () => (await import('../about/about-panel.tsx')).AboutPanel),
};

/**
 * Moves the focus into a panel that opens, but where a field of it has taken it, and back to what had it before, or to the image, when the
 * panel closes.
 */
function useFocusInside(element: RefObject<HTMLElement | null>, name: PanelName): void {
  const opener = useRef<Element | null>(null);
  const open = useRef<PanelName | undefined>(undefined);
  const isInside = (): boolean => element.current?.contains(document.activeElement) === true;
  // Found out before a field of the panel takes the focus.
  if (open.current !== name && !isInside()) opener.current = document.activeElement;
  open.current = name;
  useLayoutEffect(() => {
    if (document.activeElement?.matches(fields) !== true || !isInside()) element.current?.focus();
  }, [name]);
  const goBack = (): void => {
    if (!isInside()) return;
    const from = opener.current;
    const isThere = from instanceof HTMLElement && from.isConnected && from !== document.body;
    (isThere ? from : stage.peek()?.focusElement)?.focus({ preventScroll: true });
  };
  useLayoutEffect(() => goBack, []);
}

function OpenPanel({ name }: { readonly name: PanelName }): VNode {
  const titleId = useId();
  const element = useRef<HTMLElement>(null);
  useFocusInside(element, name);
  const Content = panelContents[name];
  return (
    <aside class="side-panel" aria-labelledby={titleId} tabIndex={-1} ref={element}>
      <div class="panel-head row">
        <h2 id={titleId}>{message(`panel-${name}`)}</h2>
        <IconButton
          icon={X}
          name={message('close')}
          onClick={() => {
            panel.value = undefined;
          }}
        />
      </div>
      <Content />
    </aside>
  );
}

interface SidePanelProps {
  /** The panels that the page has; all by default. */
  readonly of?: ReadonlySet<PanelName>;
}

/** The panel at the side, of which one is open at a time. */
export const SidePanel = ({ of }: SidePanelProps): VNode | null =>
  panel.value === undefined || of?.has(panel.value) === false ? null : <OpenPanel name={panel.value} />;

const NotesLayer = lazilyQuiet(async () => (await import('../overlay/notes-layer.tsx')).NotesLayer);

const notePanels: readonly (PanelName | undefined)[] = ['notes', 'measure'];

/**
 * The layer of notes, loaded when it is needed: also with the panels, so that it has loaded before a tool is selected,
 * and when all notes are deleted, since the layer handles the undo key.
 */
export function NotesOnStage(): VNode | null {
  const isNeeded =
    notePanels.includes(panel.value) || isDrawing.value || canUndo.value || canRedo.value || !isEmpty(notes.value);
  return isNeeded ? <NotesLayer /> : null;
}

/** The bar of tools beside an image or compared ones: the tools of the pointer, and the panels. */
import {
  Hand,
  type IconNode,
  Info,
  MessageSquareText,
  Quote,
  RotateCcw,
  Ruler,
  ScanSearch,
  ScanText,
  Search,
  SlidersHorizontal,
  SquarePen,
  TextInitial,
  TextSearch,
} from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { openedNow } from '../../state/opened.ts';
import {
  canSearch,
  hasText,
  type PanelName,
  panel,
  selectsText,
  selectText,
  togglePanel,
  toggleSelectsText,
  toggleTool,
  tool,
} from '../../state/tools.ts';
import { resetView } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { moveByArrows, useOneStop } from '../common/keys.ts';

const pointerTools = [
  ['zoom-area', ScanSearch, 'Z'],
  ['magnifier', Search, 'L'],
] as const;

const panels: readonly PanelName[] = ['adjust', 'text', 'search', 'notes', 'measure', 'cite', 'annotations', 'about'];

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
  annotations: hasAnnotations,
  text: () => hasText.value,
  search: () => canSearch.value,
};

const isOffered = (name: PanelName, embedded: boolean): boolean =>
  (name !== 'about' || !embedded) && (conditions[name]?.() ?? true);

export const ToolRail = ({ embedded }: { readonly embedded: boolean }): VNode => (
  <ToolRow>
    <PointerTools />
    <span class="rail-gap" />
    <PanelButtons names={panels.filter((name) => isOffered(name, embedded))} />
  </ToolRow>
);

const panelButtons: Readonly<Record<PanelName, readonly [icon: IconNode, shortcut: string]>> = {
  adjust: [SlidersHorizontal, 'A'],
  notes: [SquarePen, 'M'],
  measure: [Ruler, 'D'],
  cite: [Quote, 'C'],
  annotations: [MessageSquareText, 'O'],
  text: [TextInitial, 'E'],
  search: [TextSearch, '/'],
  about: [Info, 'I'],
};

/** The buttons of some panelButtons. */
export const PanelButtons = ({ names }: { readonly names: readonly PanelName[] }): VNode => (
  <>
    {names.map((name) => (
      <IconButton
        key={name}
        icon={panelButtons[name][0]}
        name={message(`panel-${name}`)}
        word={message(`short-${name}`)}
        shortcut={panelButtons[name][1]}
        pressed={panel.value === name}
        onClick={() => togglePanel(name)}
      />
    ))}
  </>
);

/** A stop of the keyboard with its buttons, and the one that resets the view at their end. */
export function ToolRow({ children }: { readonly children: ComponentChildren }): VNode {
  const row = useRef<HTMLDivElement>(null);
  useOneStop(row);
  return (
    <section class="tool-rail" aria-label={message('tools')}>
      <div role="toolbar" ref={row} onKeyDown={moveByArrows}>
        {children}
        <span class="rail-gap" />
        <IconButton
          icon={RotateCcw}
          name={message('reset-view')}
          word={message('short-reset')}
          shortcut="Backspace"
          onClick={resetView}
        />
      </div>
    </section>
  );
}

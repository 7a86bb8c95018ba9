/** The bar beside the image: the tools of the pointer, and the panels. */
import {
  Hand,
  type IconNode,
  Info,
  MessageSquareText,
  Quote,
  RotateCcw,
  Ruler,
  ScanSearch,
  Search,
  SlidersHorizontal,
  SquarePen,
} from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { foreignImage } from '../../data/foreign-images.ts';
import { message } from '../../messages/message.ts';
import { openedNow } from '../../state/opened.ts';
import { type PanelName, panel, togglePanel, toggleTool, tool } from '../../state/tools.ts';
import { resetView } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { moveByArrows, useOneStop } from '../common/roving-focus.ts';

const pointerTools = [
  ['zoom-area', ScanSearch, 'Z'],
  ['magnifier', Search, 'L'],
] as const;

const panels: readonly (readonly [name: PanelName, icon: IconNode, shortcut: string])[] = [
  ['adjust', SlidersHorizontal, 'A'],
  ['notes', SquarePen, 'M'],
  ['measure', Ruler, 'D'],
  ['cite', Quote, 'C'],
  ['annotations', MessageSquareText, 'O'],
  ['about', Info, 'I'],
];

const PointerTools = (): VNode => (
  <>
    <IconButton
      tool
      icon={Hand}
      name={message('tool-move')}
      word={message('short-move')}
      pressed={tool.value === 'move'}
      onClick={() => {
        tool.value = 'move';
      }}
    />
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
  return opened !== undefined && (foreignImage(opened.path)?.page.annotations.length ?? 0) > 0;
}

const PanelTools = ({ embedded }: { readonly embedded: boolean }): VNode => (
  <>
    {panels
      .filter(([name]) => name !== 'about' || !embedded)
      .filter(([name]) => name !== 'annotations' || hasAnnotations())
      .map(([name, icon, shortcut]) => (
        <IconButton
          key={name}
          icon={icon}
          name={message(`panel-${name}`)}
          word={message(`short-${name}`)}
          shortcut={shortcut}
          pressed={panel.value === name}
          onClick={() => togglePanel(name)}
        />
      ))}
  </>
);

export function ToolRail({ embedded }: { readonly embedded: boolean }): VNode {
  const row = useRef<HTMLDivElement>(null);
  useOneStop(row);
  return (
    <section class="tool-rail" aria-label={message('tools')}>
      <div role="toolbar" ref={row} onKeyDown={moveByArrows}>
        <PointerTools />
        <span class="rail-gap" />
        <PanelTools embedded={embedded} />
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

/** The bar of tools beside an image, or beside compared ones. */
import {
  type IconNode,
  Info,
  MessageSquareText,
  Quote,
  RotateCcw,
  Ruler,
  SlidersHorizontal,
  SquarePen,
  TextInitial,
  TextSearch,
} from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { type PanelName, panel, togglePanel } from '../../state/tools.ts';
import { resetView } from '../../state/view.ts';
import { IconButton } from './button.tsx';
import { moveByArrows, useOneStop } from './roving-focus.ts';

const panels: Readonly<Record<PanelName, readonly [icon: IconNode, shortcut: string]>> = {
  adjust: [SlidersHorizontal, 'A'],
  notes: [SquarePen, 'M'],
  measure: [Ruler, 'D'],
  cite: [Quote, 'C'],
  annotations: [MessageSquareText, 'O'],
  text: [TextInitial, 'E'],
  search: [TextSearch, '/'],
  about: [Info, 'I'],
};

/** The buttons of some panels. */
export const PanelButtons = ({ names }: { readonly names: readonly PanelName[] }): VNode => (
  <>
    {names.map((name) => (
      <IconButton
        key={name}
        icon={panels[name][0]}
        name={message(`panel-${name}`)}
        word={message(`short-${name}`)}
        shortcut={panels[name][1]}
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

/** The panels for the active one of the compared images. */
import { type IconNode, Info, RotateCcw, Ruler, SlidersHorizontal, SquarePen } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { type PanelName, panel, togglePanel } from '../../state/tools.ts';
import { resetView } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { moveByArrows, useOneStop } from '../common/roving-focus.ts';

const panels: readonly (readonly [name: PanelName, icon: IconNode, shortcut: string])[] = [
  ['adjust', SlidersHorizontal, 'A'],
  ['notes', SquarePen, 'M'],
  ['measure', Ruler, 'D'],
  ['about', Info, 'I'],
];

export const comparePanels: ReadonlySet<PanelName> = new Set(panels.map(([name]) => name));

export function CompareRail(): VNode {
  const row = useRef<HTMLDivElement>(null);
  useOneStop(row);
  return (
    <section class="tool-rail" aria-label={message('tools')}>
      <div role="toolbar" ref={row} onKeyDown={moveByArrows}>
        {panels.map(([name, icon, shortcut]) => (
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

/** Beside the image: tools of the pointer, and panels that open at the side. */
import { Hand, Info, Quote, RotateCcw, Ruler, ScanSearch, Search, SlidersHorizontal, SquarePen } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { panel, togglePanel, toggleTool, tool } from '../../state/tools.ts';
import { resetView } from '../../state/view.ts';
import { IconButton } from '../common/button.tsx';
import { moveByArrows, useOneStop } from '../common/roving-focus.ts';

const PointerTools = (): VNode => (
  <>
    <IconButton
      icon={Hand}
      name={message('tool-move')}
      word={message('short-move')}
      pressed={tool.value === 'move'}
      onClick={() => {
        tool.value = 'move';
      }}
    />
    <IconButton
      icon={ScanSearch}
      name={message('tool-zoom-area')}
      word={message('short-zoom-area')}
      shortcut="Z"
      pressed={tool.value === 'zoom-area'}
      onClick={() => toggleTool('zoom-area')}
    />
    <IconButton
      icon={Search}
      name={message('tool-magnifier')}
      word={message('short-magnifier')}
      shortcut="L"
      pressed={tool.value === 'magnifier'}
      onClick={() => toggleTool('magnifier')}
    />
  </>
);

const PanelTools = ({ embedded }: { readonly embedded: boolean }): VNode => (
  <>
    <IconButton
      icon={SlidersHorizontal}
      name={message('panel-adjust')}
      word={message('short-adjust')}
      shortcut="A"
      pressed={panel.value === 'adjust'}
      onClick={() => togglePanel('adjust')}
    />
    <IconButton
      icon={SquarePen}
      name={message('panel-notes')}
      word={message('short-notes')}
      shortcut="M"
      pressed={panel.value === 'notes'}
      onClick={() => togglePanel('notes')}
    />
    <IconButton
      icon={Ruler}
      name={message('panel-measure')}
      word={message('short-measure')}
      shortcut="D"
      pressed={panel.value === 'measure'}
      onClick={() => togglePanel('measure')}
    />
    <IconButton
      icon={Quote}
      name={message('panel-cite')}
      word={message('short-cite')}
      shortcut="C"
      pressed={panel.value === 'cite'}
      onClick={() => togglePanel('cite')}
    />
    {!embedded && (
      <IconButton
        icon={Info}
        name={message('panel-about')}
        word={message('short-about')}
        shortcut="I"
        pressed={panel.value === 'about'}
        onClick={() => togglePanel('about')}
      />
    )}
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

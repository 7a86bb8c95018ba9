/** Beside the image: tools of the pointer, and panels that open at the side. */
import { Hand, Info, Quote, RotateCcw, Ruler, ScanSearch, Search, SlidersHorizontal, SquarePen } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { panel, togglePanel, toggleTool, tool } from '../../state/tools.ts';
import { resetView } from '../../state/view.ts';
import { IconButton } from '../button.tsx';

export const ToolRail = ({ embedded }: { readonly embedded: boolean }): VNode => (
  <div class="tool-rail" role="toolbar" aria-label={message('tools')} aria-orientation="vertical">
    <IconButton
      icon={Hand}
      name={message('tool-move')}
      pressed={tool.value === 'move'}
      onClick={() => {
        tool.value = 'move';
      }}
    />
    <IconButton
      icon={ScanSearch}
      name={message('tool-zoom-area')}
      shortcut="Z"
      pressed={tool.value === 'zoom-area'}
      onClick={() => toggleTool('zoom-area')}
    />
    <IconButton
      icon={Search}
      name={message('tool-magnifier')}
      shortcut="L"
      pressed={tool.value === 'magnifier'}
      onClick={() => toggleTool('magnifier')}
    />
    <span class="rail-gap" />
    <IconButton
      icon={SlidersHorizontal}
      name={message('panel-adjust')}
      shortcut="A"
      pressed={panel.value === 'adjust'}
      onClick={() => togglePanel('adjust')}
    />
    <IconButton
      icon={SquarePen}
      name={message('panel-notes')}
      shortcut="M"
      pressed={panel.value === 'notes'}
      onClick={() => togglePanel('notes')}
    />
    <IconButton
      icon={Ruler}
      name={message('panel-measure')}
      shortcut="D"
      pressed={panel.value === 'measure'}
      onClick={() => togglePanel('measure')}
    />
    <IconButton
      icon={Quote}
      name={message('panel-cite')}
      shortcut="C"
      pressed={panel.value === 'cite'}
      onClick={() => togglePanel('cite')}
    />
    {!embedded && (
      <IconButton
        icon={Info}
        name={message('panel-about')}
        shortcut="I"
        pressed={panel.value === 'about'}
        onClick={() => togglePanel('about')}
      />
    )}
    <span class="rail-gap" />
    <IconButton icon={RotateCcw} name={message('reset-view')} shortcut="Backspace" onClick={resetView} />
  </div>
);

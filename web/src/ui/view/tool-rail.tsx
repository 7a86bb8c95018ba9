/** The bar beside the image: the tools of the pointer, and the panels. */
import { Hand, ScanSearch, ScanText, Search } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { openedNow } from '../../state/opened.ts';
import {
  canSearch,
  hasText,
  type PanelName,
  selectsText,
  selectText,
  toggleSelectsText,
  toggleTool,
  tool,
} from '../../state/tools.ts';
import { IconButton } from '../common/button.tsx';
import { PanelButtons, ToolRow } from '../common/tool-row.tsx';

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

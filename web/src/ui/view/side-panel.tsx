/** The panel at the side, which holds one kind of work at a time. */
import { X } from 'lucide';
import type { ComponentType, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { type PanelName, panel } from '../../state/tools.ts';
import { IconButton } from '../button.tsx';
import { lazily } from '../lazy.tsx';
import { AdjustPanel } from './adjust-panel.tsx';

interface Panel {
  readonly title: MessageKey;
  readonly Content: ComponentType;
}

const panels: Readonly<Record<PanelName, Panel>> = {
  adjust: { title: 'panel-adjust', Content: AdjustPanel },
  notes: { title: 'panel-notes', Content: lazily(async () => (await import('../notes/notes-panel.tsx')).NotesPanel) },
  measure: {
    title: 'panel-measure',
    Content: lazily(async () => (await import('../measure/measure-panel.tsx')).MeasurePanel),
  },
  cite: { title: 'panel-cite', Content: lazily(async () => (await import('../cite/cite-panel.tsx')).CitePanel) },
  about: { title: 'panel-about', Content: lazily(async () => (await import('../cite/about-panel.tsx')).AboutPanel) },
};

export function SidePanel(): VNode | null {
  const name = panel.value;
  const titleId = useId();
  const element = useRef<HTMLElement>(null);
  // Who opens a panel by a key goes on inside of it; the way back is Escape.
  useEffect(() => {
    if (name !== undefined) element.current?.focus();
  }, [name]);
  if (name === undefined) return null;
  const { title, Content } = panels[name];
  return (
    <aside class="side-panel" aria-labelledby={titleId} tabIndex={-1} ref={element}>
      <div class="panel-head">
        <h2 id={titleId}>{message(title)}</h2>
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

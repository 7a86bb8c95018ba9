/** The panel at the side, which holds one kind of work at a time. */
import { X } from 'lucide';
import type { ComponentType, RefObject, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { stage } from '../../state/stage.ts';
import { type PanelName, panel } from '../../state/tools.ts';
import { AdjustPanel } from '../adjust/adjust-panel.tsx';
import { IconButton } from '../common/button.tsx';
import { lazily } from '../common/lazy.tsx';

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
  about: { title: 'panel-about', Content: lazily(async () => (await import('../about/about-panel.tsx')).AboutPanel) },
};

/** Who opens a panel goes on inside of it, and is back where it was opened when it closes: on the image, if nowhere else. */
function useFocusInside(element: RefObject<HTMLElement | null>, name: PanelName): void {
  const opener = useRef<Element | null>(null);
  const isInside = (): boolean => element.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (!isInside()) opener.current = document.activeElement;
    element.current?.focus();
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

export const SidePanel = (): VNode | null => (panel.value === undefined ? null : <OpenPanel name={panel.value} />);

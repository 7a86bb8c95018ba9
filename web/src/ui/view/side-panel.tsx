/** The panel at the side, of which one is open at a time. */
import { X } from 'lucide';
import type { ComponentType, RefObject, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { stage } from '../../state/stages.ts';
import { type PanelName, panel } from '../../state/tools.ts';
import { AdjustPanel } from '../adjust/adjust-panel.tsx';
import { IconButton } from '../common/button.tsx';
import { lazily } from '../common/loading.tsx';

const panels: Readonly<Record<PanelName, ComponentType>> = {
  adjust: AdjustPanel,
  notes: lazily(async () => (await import('../notes/notes-panel.tsx')).NotesPanel),
  measure: lazily(async () => (await import('../measure/measure-panel.tsx')).MeasurePanel),
  cite: lazily(async () => (await import('../cite/cite-panel.tsx')).CitePanel),
  annotations: lazily(async () => (await import('../annotations/annotations-panel.tsx')).AnnotationsPanel),
  text: lazily(async () => (await import('../text/text-panel.tsx')).TextPanel),
  search: lazily(async () => (await import('../text/search-panel.tsx')).SearchPanel),
  about: lazily(async () => (await import('../about/about-panel.tsx')).AboutPanel),
};

/** Moves the focus into a panel that opens, and back to what had it before, or to the image, when it closes. */
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
  const Content = panels[name];
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

export const SidePanel = ({ of }: SidePanelProps): VNode | null =>
  panel.value === undefined || of?.has(panel.value) === false ? null : <OpenPanel name={panel.value} />;

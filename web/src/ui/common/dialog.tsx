/** A modal dialog with a title and a close button; the browser keeps the focus inside. */
import { X } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onClose={onClose}
      // Also a click outside closes it.
      closedby="any"
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <IconButton icon={X} name={message('close')} onClick={() => element.current?.close()} />
      </div>
      {children}
    </dialog>
  );
}

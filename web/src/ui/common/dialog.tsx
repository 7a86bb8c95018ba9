/** Modal dialogs, and panels below the button that opens them. */

import { useSignal } from '@preact/signals';
import { type IconNode, X } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { Icon, IconButton } from './button.tsx';

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

interface DropDownProps {
  readonly icon: IconNode;
  readonly name: string;
  readonly children: ComponentChildren;
}

/** A panel below the button that opens it; Escape, a click elsewhere and moving the focus elsewhere close it. */
export function DropDown({ icon, name, children }: DropDownProps): VNode {
  const open = useSignal(false);
  const panelId = useId();
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    open.value = false;
  };
  useEffect(() => {
    // A dialog that was opened from it gives the focus back when it closes.
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Element && !whole.current?.contains(target) && !target.closest('dialog')) close();
    };
    const closeByKey = ({ key, target }: KeyboardEvent): void => {
      const isOfDialog = target instanceof Element && target.closest('dialog') !== null;
      if (key !== 'Escape' || !open.value || isOfDialog) return;
      close();
      button.current?.focus();
    };
    const ending = new AbortController();
    const { signal } = ending;
    addEventListener('keydown', closeByKey, { signal });
    addEventListener('pointerdown', closeOutside, { signal });
    addEventListener('focusin', closeOutside, { signal });
    return () => ending.abort();
  }, []);
  return (
    <div class="drop-down" ref={whole}>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={name}
        title={name}
        aria-expanded={open.value}
        aria-controls={panelId}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon of={icon} />
      </button>
      <div id={panelId} class="drop-down-panel floating" hidden={!open.value}>
        {children}
      </div>
    </div>
  );
}

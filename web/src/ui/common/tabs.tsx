/** Tabs with arrow keys (WAI-ARIA Authoring Practices, Tabs). */
import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface Tab {
  readonly name: string;
  readonly content: () => VNode;
}

/** The tab that a key selects; undefined for other keys. */
function tabByKey(key: string, current: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (current + 1) % count;
  if (key === 'ArrowLeft') return (current + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

interface TabsProps {
  readonly name: string;
  readonly tabs: readonly Tab[];
  /** The index of the tab that is shown, where others know it; else the first one is shown at first. */
  readonly selected?: Signal<number>;
}

export function Tabs({ name, tabs, selected: given }: TabsProps): VNode {
  const own = useSignal(0);
  const selected = given ?? own;
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const selectByKey = (event: KeyboardEvent): void => {
    const next = tabByKey(event.key, selected.value, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    selected.value = next;
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={name} ref={list} onKeyDown={selectByKey}>
        {tabs.map((tab, index) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={selected.value === index}
            aria-controls={`${id}-panel`}
            tabIndex={selected.value === index ? 0 : -1}
            onClick={() => {
              selected.value = index;
            }}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${selected.value}`}>
        {tabs[selected.value]?.content()}
      </div>
    </div>
  );
}

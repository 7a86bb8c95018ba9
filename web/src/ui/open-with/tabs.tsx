/** Tabs, as WAI-ARIA's authoring practices have them: arrow keys go from one to the next. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface Tab {
  readonly name: string;
  readonly content: () => VNode;
}

/** Which tab a key leads to; undefined for keys that lead to none. */
function tabByKey(key: string, current: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (current + 1) % count;
  if (key === 'ArrowLeft') return (current + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

export function Tabs({ name, tabs }: { readonly name: string; readonly tabs: readonly Tab[] }): VNode {
  const chosen = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const chooseByKey = (event: KeyboardEvent): void => {
    const next = tabByKey(event.key, chosen.value, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    chosen.value = next;
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={name} ref={list} onKeyDown={chooseByKey}>
        {tabs.map((tab, index) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={chosen.value === index}
            aria-controls={`${id}-panel`}
            tabIndex={chosen.value === index ? 0 : -1}
            onClick={() => {
              chosen.value = index;
            }}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${chosen.value}`}>
        {tabs[chosen.value]?.content()}
      </div>
    </div>
  );
}

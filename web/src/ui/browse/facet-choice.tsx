/** The order of folders and the choice among them: folded, and loaded when it is opened or in effect. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { lazilyQuiet } from '../common/loading.tsx';
import type { FacetFieldsProps } from './facet-fields.tsx';

const FacetFields = lazilyQuiet(async () => (await import('./facet-fields.tsx')).FacetFields);

export function FacetChoice(props: FacetFieldsProps): VNode {
  const isOpen = useSignal(props.wish !== undefined);
  return (
    <details
      class="facets"
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{message('facets')}</summary>
      {isOpen.value && <FacetFields {...props} />}
    </details>
  );
}

/** A field for the address of another library's manifest, which is typed or pasted. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { pathInAddress } from '../../model/address/address.ts';
import { isForeign, pathOfManifest } from '../../model/address/foreign-path.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { goTo } from '../../state/route.ts';

/** The path behind a typed address; one of this reading room may name a manifest too. */
function pathOf(typed: string): string | undefined {
  const own = /^https?:/i.test(typed.trim()) ? pathInAddress(typed, document.baseURI) : undefined;
  return own !== undefined && isForeign(own) ? own : pathOfManifest(typed);
}

export function ManifestField(): VNode {
  const id = useId();
  const typed = useSignal('');
  const fault = useSignal('');
  return (
    <form
      class="manifest-field"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const path = pathOf(typed.peek());
        if (path === undefined) fault.value = message('manifest-no-address');
        else goTo(imageRoute(path));
      }}
    >
      <label class="manifest-label" for={id}>
        {message('manifest-field')}
      </label>
      <div class="manifest-row">
        <input
          id={id}
          class="manifest-input"
          type="url"
          inputMode="url"
          autocomplete="off"
          placeholder="https://"
          aria-describedby={`${id}-fault`}
          aria-invalid={fault.value !== ''}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            fault.value = '';
          }}
        />
        <button type="submit" class="button">
          {message('manifest-open')}
        </button>
      </div>
      <p id={`${id}-fault`} class="manifest-fault" role="status">
        {fault.value}
      </p>
    </form>
  );
}

/** How large the picture is to be, and in which format. */
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import type { DownloadChoice, SizeChoice } from '../../model/download.ts';
import type { PictureFormat } from '../../model/scaler-address.ts';

const sizes: readonly (readonly [size: SizeChoice, name: MessageKey])[] = [
  ['full', 'size-full'],
  ['half', 'size-half'],
  ['screen', 'size-screen'],
];

/** Their names are the same in all languages. */
const formats: Readonly<Record<PictureFormat, string>> = { jpg: 'JPG', png: 'PNG', webp: 'WebP' };

export function PictureChoice({ chosen }: { readonly chosen: Signal<DownloadChoice> }): VNode {
  const id = useId();
  const { size, format } = chosen.value;
  return (
    <div class="picture-choice">
      <fieldset class="segments">
        <legend>{message('picture-size')}</legend>
        {sizes.map(([value, name]) => (
          <label key={value}>
            <input
              type="radio"
              name={`${id}-size`}
              checked={size === value}
              onChange={() => {
                chosen.value = { ...chosen.peek(), size: value };
              }}
            />
            <span>{message(name)}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="segments">
        <legend>{message('picture-format')}</legend>
        {(Object.keys(formats) as readonly PictureFormat[]).map((value) => (
          <label key={value}>
            <input
              type="radio"
              name={`${id}-format`}
              checked={format === value}
              onChange={() => {
                chosen.value = { ...chosen.peek(), format: value };
              }}
            />
            <span>{formats[value]}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

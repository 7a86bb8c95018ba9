/** Chooses the size, format and quality of the downloaded picture. */
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { DownloadChoice, SizeChoice } from '../../model/cite/download.ts';
import type { PictureFormat } from '../../model/cite/picture-address.ts';
import type { ViewState } from '../../model/view-state.ts';
import { changeView, view } from '../../state/view.ts';

const sizes: readonly SizeChoice[] = ['full', 'half', 'screen'];

/** The names are the same in all languages. */
const formats: readonly (readonly [format: PictureFormat, name: string])[] = [
  ['jpg', 'JPG'],
  ['png', 'PNG'],
  ['webp', 'WebP'],
];

/** `q0` to `q3` of the Scaler. */
const qualities: readonly ViewState['quality'][] = [undefined, 0, 1, 2, 3];

interface SegmentsProps<T> {
  readonly legend: string;
  readonly choices: readonly (readonly [value: T, name: string])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

function Segments<T extends string>({ legend, choices, chosen, onChoose }: SegmentsProps<T>): VNode {
  const id = useId();
  return (
    <fieldset class="segments">
      <legend>{legend}</legend>
      {choices.map(([value, name]) => (
        <label key={value}>
          <input type="radio" name={id} checked={chosen === value} onChange={() => onChoose(value)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The quality is a part of the view, since old addresses contain it. */
function Quality(): VNode {
  const id = useId();
  return (
    <div class="picture-quality">
      <label for={id}>{message('quality')}</label>
      <select
        id={id}
        value={String(view.value.quality ?? '')}
        onChange={({ currentTarget }) =>
          changeView({ quality: qualities.find((quality) => String(quality ?? '') === currentTarget.value) })
        }
      >
        {qualities.map((quality) => (
          <option key={quality} value={String(quality ?? '')}>
            {message(`quality-${quality ?? 'default'}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

export function PictureChoice({ chosen }: { readonly chosen: Signal<DownloadChoice> }): VNode {
  const change = (part: Partial<DownloadChoice>): void => {
    chosen.value = { ...chosen.peek(), ...part };
  };
  const { size, format } = chosen.value;
  return (
    <div class="picture-choice">
      <Segments
        legend={message('picture-size')}
        choices={sizes.map((value) => [value, message(`size-${value}`)])}
        chosen={size}
        onChoose={(value) => change({ size: value })}
      />
      <Segments
        legend={message('picture-format')}
        choices={formats}
        chosen={format}
        onChoose={(value) => change({ format: value })}
      />
      <Quality />
    </div>
  );
}

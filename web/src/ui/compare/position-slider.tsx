/** The slider for the edge between two images, or for the opacity of the upper one; and which two they are. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { validPair } from '../../model/address/comparison.ts';
import { shownArrangement } from '../../state/notes/sketch.ts';
import { arrange, views } from '../../state/view.ts';

function PairSelect({ side }: { readonly side: 0 | 1 }): VNode {
  const id = useId();
  const { pair } = shownArrangement.value;
  const count = views.value.length;
  /** The image that is chosen already changes its place with this one. */
  const choose = (index: number): void => {
    const [lower, upper] = pair;
    const swapped: typeof pair = [upper, lower];
    if (index === pair[1 - side]) arrange({ pair: swapped });
    else arrange({ pair: validPair(side === 0 ? [index, upper] : [lower, index], count) });
  };
  return (
    <span class="pair-select">
      <label for={id}>{message(side === 0 ? 'compare-lower' : 'compare-upper')}</label>
      <select id={id} value={pair[side]} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
        {views.value.map((_, index) => (
          <option key={index} value={index}>
            {index + 1}
          </option>
        ))}
      </select>
    </span>
  );
}

/** The two images over each other. */
export const PairSelects = (): VNode => (
  <div class="pair-selects">
    <PairSelect side={0} />
    <PairSelect side={1} />
  </div>
);

export function PositionSlider(): VNode {
  const id = useId();
  const { layout, position } = shownArrangement.value;
  const percent = Math.round(position * 1000) / 10;
  return (
    <div class="position-slider">
      <label for={id}>{message(layout === 'slider' ? 'compare-edge' : 'compare-opacity')}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={0.5}
        value={percent}
        aria-valuetext={`${Math.round(percent)} %`}
        onInput={({ currentTarget }) => arrange({ position: currentTarget.valueAsNumber / 100 })}
      />
    </div>
  );
}

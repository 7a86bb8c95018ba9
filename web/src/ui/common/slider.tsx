/** A slider with a field for its number, and a button that puts it back. */
import { RotateCcw } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { IconButton } from './button.tsx';
import { useOwnText } from './elements.ts';

interface SliderProps {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The value that changes nothing. */
  readonly neutral?: number;
  readonly onChange: (value: number) => void;
  readonly tone?: 'red' | 'green' | 'blue';
}

export function Slider({ name, value, min, max, step, neutral = 0, onChange, tone }: SliderProps): VNode {
  const id = useId();
  const own = useOwnText<HTMLInputElement>(String(value));
  const change = (event: { readonly currentTarget: HTMLInputElement }): void => {
    const typed = event.currentTarget.valueAsNumber;
    if (Number.isFinite(typed)) onChange(typed);
  };
  return (
    <div class={`slider ${tone ?? ''}`}>
      <label for={id}>{name}</label>
      <input id={id} type="range" min={min} max={max} step={step} value={value} onInput={change} />
      <input {...own} type="number" aria-label={message('value-of', { name })} step={step} onChange={change} />
      <IconButton
        icon={RotateCcw}
        name={message('reset-of', { name })}
        disabled={value === neutral}
        onClick={() => onChange(neutral)}
      />
    </div>
  );
}

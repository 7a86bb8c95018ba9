/** Tells screen readers which words of the image are selected. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { copiedText } from '../../model/text/carets.ts';
import { selectedParts } from '../../state/text/page-texts.ts';

/** Delay after the last change until it is announced, in ms. */
const pauseMs = 400;

/** The longest text that is announced as a whole, in characters; of others, the end that moved last is heard best. */
const longest = 200;

const shortened = (text: string): string => {
  const characters = [...text];
  return characters.length <= longest ? text : `… ${characters.slice(-longest).join('')}`;
};

export function SelectionStatus(): VNode {
  const announced = useSignal('');
  const now = selectedParts.value;
  const text = now === undefined ? '' : copiedText(now.page.text, now.parts);
  useEffect(() => {
    if (text === '' && announced.peek() === '') return undefined;
    const timer = setTimeout(() => {
      announced.value =
        text === '' ? message('text-selected-none') : message('text-selected-now', { text: shortened(text) });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="off-screen" role="status">
      {announced.value}
    </p>
  );
}

/** A text field whose text is the reader's while it has the focus: what is told from elsewhere waits until it is left. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Drawing comes after typing, so that a text which was right when it was drawn may miss letters when it is written. */
export function useOwnText<Field extends HTMLInputElement | HTMLTextAreaElement>(text: string) {
  const ref = useRef<Field>(null);
  const [, setTimesLeft] = useState(0);
  useLayoutEffect(() => {
    const field = ref.current;
    // The field may have a space at its end that the text has not.
    if (field !== null && field !== document.activeElement && field.value.trim() !== text) field.value = text;
  });
  return { ref, onBlur: () => setTimesLeft((times) => times + 1) };
}

/** A text field that is not overwritten while it has the focus: changes from elsewhere wait until it loses it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rendering lags behind typing, so that a rendered text may lack the last letters. */
export function useOwnText<Field extends HTMLInputElement | HTMLTextAreaElement>(text: string) {
  const ref = useRef<Field>(null);
  const [, setTimesLeft] = useState(0);
  useLayoutEffect(() => {
    const field = ref.current;
    // The field may have trailing spaces that the text has not.
    if (field !== null && field !== document.activeElement && field.value.trim() !== text) field.value = text;
  });
  return { ref, onBlur: () => setTimesLeft((times) => times + 1) };
}

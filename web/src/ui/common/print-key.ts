/** The browser's shortcut for printing, where a page is made for paper first. */
import { useEffect } from 'preact/hooks';

/** Calls `print` instead of the browser's own printing by Ctrl+P or ⌘P. */
export function usePrintKey(print: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isPrint = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'p';
      if (!isPrint) return;
      event.preventDefault();
      print();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [print]);
}

/** A button by which the reader chooses a file of this machine. */
import { type IconNode, Upload } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface OpenFileButtonProps {
  readonly icon?: IconNode;
  readonly name: string;
  /** The extensions and media types that the dialog offers. */
  readonly accept: string;
  readonly onFile: (file: File | undefined) => void;
}

export function OpenFileButton({ icon = Upload, name, accept, onFile }: OpenFileButtonProps): VNode {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={icon} onClick={() => chooser.current?.click()}>
        {name}
      </Button>
      <input
        ref={chooser}
        type="file"
        class="file-chooser"
        hidden
        aria-label={name}
        accept={accept}
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0]);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

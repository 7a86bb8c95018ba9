/** A picture on a soft mat, whole and never cropped; a calm placeholder where there is none. */
import { useSignal } from '@preact/signals';
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { Icon } from '../icon.tsx';
import { type Operations, pictureAddress, pictureSet, type Size } from './picture-address.ts';

interface PictureProps {
  /** The image's path; null where there is none to show. */
  readonly path: string | null;
  /** How large the picture is at most. */
  readonly size: Size;
  /** How large it is shown, where that is less. */
  readonly shown?: Size;
  /** What it shows; empty where the text beside it says so. */
  readonly alt: string;
  /** What is said where there is no picture. */
  readonly absent: MessageKey;
  readonly operations?: Operations;
}

const Absent = ({ text, alt }: { readonly text: MessageKey; readonly alt: string }): VNode => (
  <span class="absent">
    <Icon of={ImageOff} size={26} />
    <span class="off-screen">{alt}</span>
    <span>{message(text)}</span>
  </span>
);

export function Picture({ path, size, shown = size, alt, absent, operations = [] }: PictureProps): VNode {
  const broken = useSignal<string | undefined>(undefined);
  if (path === null || broken.value === path) return <Absent text={absent} alt={alt} />;
  return (
    <img
      src={pictureAddress(path, size, operations)}
      srcset={pictureSet(path, size, operations)}
      width={shown.width}
      height={shown.height}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => {
        broken.value = path;
      }}
    />
  );
}

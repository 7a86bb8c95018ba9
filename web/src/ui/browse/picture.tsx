/** A picture on a soft mat, whole and never cropped; a calm placeholder where there is none. */
import { useSignal } from '@preact/signals';
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { Icon } from '../icon.tsx';
import { pictureAddress, pictureSet, type Size } from './picture-address.ts';

interface PictureProps {
  /** The image's path; null where there is none to show. */
  readonly path: string | null;
  /** How large the picture is at most. */
  readonly size: Size;
  /** What it shows; empty where the text beside it says so. */
  readonly alt: string;
  /** What is said where there is no picture. */
  readonly absent: MessageKey;
}

const Absent = ({ text, alt }: { readonly text: MessageKey; readonly alt: string }): VNode => (
  <span class="absent">
    <Icon of={ImageOff} size={26} />
    <span class="off-screen">{alt}</span>
    <span>{message(text)}</span>
  </span>
);

export function Picture({ path, size, alt, absent }: PictureProps): VNode {
  const broken = useSignal<string | undefined>(undefined);
  if (path === null || broken.value === path) return <Absent text={absent} alt={alt} />;
  return (
    <img
      src={pictureAddress(path, size)}
      srcset={pictureSet(path, size)}
      width={size.width}
      height={size.height}
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

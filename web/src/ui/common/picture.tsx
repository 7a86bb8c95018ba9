/** A picture on a soft mat, whole and never cropped; a calm placeholder where there is none. */
import { useSignal } from '@preact/signals';
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/image/model/geometry.ts';
import { type Operations, pictureAddress, pictureSet, sizeInside } from '../../data/picture.ts';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { Icon } from './icon.tsx';

interface PictureProps {
  /** The image's path; null where there is none to show. */
  readonly path: string | null;
  /** The image's own pixels; absent where they say nothing of the picture's shape. */
  readonly image?: Size | undefined;
  /** How large the picture is at most. */
  readonly box: Size;
  /** How large it is shown at most, where that is less. */
  readonly shownIn?: Size;
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

export function Picture({ path, image, box, shownIn = box, alt, absent, operations = [] }: PictureProps): VNode {
  const broken = useSignal<string | undefined>(undefined);
  if (path === null || broken.value === path) return <Absent text={absent} alt={alt} />;
  const size = image === undefined ? box : sizeInside(image, box);
  const shown = sizeInside(size, shownIn);
  return (
    <img
      src={pictureAddress(path, size, operations)}
      srcset={pictureSet(path, image, box, operations)}
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

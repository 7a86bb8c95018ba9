/** A picture, never cropped, or a placeholder where there is none. */
import { useSignal } from '@preact/signals';
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Operations, pictureAddress, pictureSet, sizeInside } from '../../data/images.ts';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { Icon } from './button.tsx';

interface PictureProps {
  /** The path of the image; null for the placeholder. */
  readonly path: string | null;
  /** Pixels of the image; absent where the picture has another shape. */
  readonly image?: Size | undefined;
  /** Maximum size of the picture. */
  readonly box: Size;
  /** Maximum size on the screen, where that is smaller. */
  readonly shownIn?: Size;
  /** Empty where the text beside it describes the picture. */
  readonly alt: string;
  /** The text of the placeholder. */
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

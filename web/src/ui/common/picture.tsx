/** Names and pictures of folders and images. */
import { useSignal } from '@preact/signals';
import { ImageOff } from 'lucide';
import { Fragment, type VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { FolderLink } from '../../../../src/core/image/folder/folder-listing.ts';
import { textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Operations, pictureAddress, pictureSet, sizeInside } from '../../data/images.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { language, type MessageKey, message } from '../../messages/messages.ts';
import { namePieces } from '../../model/text/metadata-text.ts';
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

interface Brokenness {
  readonly isBroken: boolean;
  readonly onError: () => void;
}

/** Whether the picture of a path did not come, in place of which the browser would draw a sign of its own. */
export function useBroken(path: string | null | undefined): Brokenness {
  const broken = useSignal<string | undefined>(undefined);
  const onError = (): void => {
    broken.value = path ?? undefined;
  };
  return { isBroken: broken.value !== undefined && broken.value === path, onError };
}

export function Picture({ path, image, box, shownIn = box, alt, absent, operations = [] }: PictureProps): VNode {
  const { isBroken, onError } = useBroken(path);
  if (path === null || isBroken) return <Absent text={absent} alt={alt} />;
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
      onError={onError}
    />
  );
}

/** Empty where the library has no name. */
const libraryName = (): string => textFor(pageSettings.name, [language.value]).join(' ');

/** The name of the library, or else that of the program. */
export const siteName = (): string => libraryName() || 'Lectern';

/**
 * Sets the title of the document: what the page shows, without what is empty or said twice, and the site.
 * The title changes in the same frame as the page, so that nobody reads the title of the page before.
 */
export function useDocumentTitle(...parts: readonly string[]): void {
  const title = [...new Set([...parts, siteName()])].filter((part) => part !== '').join(' – ');
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
}

/** The root is called by the library's name, and without one by its title. */
export const titleOf = ({ path, title }: FolderLink): string =>
  (path === '' ? libraryName() : '') || title || path || message('library');

/** A name that breaks into lines between its parts, not in the middle of them. */
export const BreakableName = ({ name }: { readonly name: string }): VNode => (
  <>
    {namePieces(name).map((piece, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {piece}
      </Fragment>
    ))}
  </>
);

/** Chooses an image of any folder, by browsing or by its address, or a folder as a book. */
import { useSignal } from '@preact/signals';
import { BookOpen, CornerLeftUp, Folder } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { FolderListing, ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { fetchFolder } from '../../data/fetch.ts';
import { pixelsOf } from '../../data/images.ts';
import { opensManifests } from '../../data/page-settings.ts';
import { language, message } from '../../messages/messages.ts';
import { pathInAddress } from '../../model/address/address.ts';
import { isForeign, pathOfContent, pathOfIiif } from '../../model/address/address-text.ts';
import { partCount } from '../../model/address/routes.ts';
import { Button, Icon } from './button.tsx';
import { AddressField } from './fields.tsx';
import { ProblemNotice, useAnswer } from './loading.tsx';
import { Picture, titleOf } from './picture.tsx';

const box = { width: 112, height: 128 };

interface ChooseProps {
  /** Gets the path of an image, or a typed address of one. */
  readonly onChoose: (path: string, typed?: string) => void;
}

interface ImagePickerProps extends ChooseProps {
  /** Where it begins. */
  readonly folder: string;
  /** Takes a whole folder as a book; absent where only images are taken. */
  readonly onBook?: (path: string) => void;
}

/** Content states, addresses of this library, also of old viewers, and paths; of other manifests where the settings allow some. */
const pathOf = (typed: string): string | undefined =>
  pathOfContent(typed) ?? pathInAddress(typed, document.baseURI) ?? (opensManifests ? pathOfIiif(typed) : undefined);

const ImageButton = ({ card, onChoose }: ChooseProps & { readonly card: ImageCard }): VNode => (
  <li>
    <button type="button" class="picker-image" title={card.label} onClick={() => onChoose(card.path)}>
      <span class="mat">
        <Picture path={card.path} image={pixelsOf(card)} box={box} alt="" absent="unreadable" />
      </span>
      <span class="clip">{card.label}</span>
    </button>
  </li>
);

interface ListingProps extends ChooseProps {
  readonly listing: FolderListing;
  readonly onFolder: (path: string) => void;
  readonly onMore: (from: number) => void;
  readonly onBook: ((path: string) => void) | undefined;
}

function Folders({ listing, onFolder }: Pick<ListingProps, 'listing' | 'onFolder'>): VNode {
  const parent = listing.parents.at(-1);
  return (
    <ul class="picker-folders">
      {parent && (
        <li>
          <Button icon={CornerLeftUp} onClick={() => onFolder(parent.path)}>
            {titleOf(parent)}
          </Button>
        </li>
      )}
      {listing.folders.map((folder) => (
        <li key={folder.path}>
          <Button icon={Folder} onClick={() => onFolder(folder.path)}>
            {titleOf(folder)}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Listing({ listing, onFolder, onMore, onChoose, onBook }: ListingProps): VNode {
  const next = listing.from + partCount;
  const total = Math.max(listing.totalImages, listing.totalFolders);
  const isReadable = ({ width }: ImageCard): boolean => width !== null;
  return (
    <>
      <h3>
        <Icon of={Folder} size={18} /> {titleOf(listing)}
      </h3>
      {onBook !== undefined && listing.totalImages > 1 && (
        <Button icon={BookOpen} onClick={() => onBook(listing.path)}>
          {message('compare-book')}
        </Button>
      )}
      <Folders listing={listing} onFolder={onFolder} />
      <ul class="picker-images">
        {listing.images.filter(isReadable).map((card) => (
          <ImageButton key={card.path} card={card} onChoose={onChoose} />
        ))}
      </ul>
      {total > partCount && <Button onClick={() => onMore(next <= total ? next : 1)}>{message('compare-more')}</Button>}
    </>
  );
}

export function ImagePicker({ folder, onChoose, onBook }: ImagePickerProps): VNode {
  const typed = useRef('');
  // A book of another host is no folder of this library.
  const place = useSignal({ folder: isForeign(folder) ? '' : folder, from: 1 });
  const { folder: path, from } = place.value;
  const { request, retry } = useAnswer(
    JSON.stringify([path, from, language.value]),
    (signal) => fetchFolder(path, language.value, { from, count: partCount }, signal),
    undefined,
    () => false,
  );
  const now = request.value;
  return (
    <div class="image-picker">
      <AddressField
        label={message(opensManifests ? 'compare-any-address' : 'compare-address')}
        button={message('compare-put')}
        pathOf={(text) => {
          typed.current = text;
          return pathOf(text);
        }}
        fault={message(opensManifests ? 'no-image-address' : 'compare-no-address')}
        onPath={(path) => onChoose(path, typed.current)}
      />
      {now.state === 'loading' && <p role="status">{message('loading')}</p>}
      {now.state === 'failed' && <ProblemNotice problem={now.problem} onRetry={retry} />}
      {now.state === 'loaded' && (
        <Listing
          listing={now.value}
          onChoose={onChoose}
          onBook={onBook}
          onFolder={(to) => {
            place.value = { folder: to, from: 1 };
          }}
          onMore={(to) => {
            place.value = { folder: path, from: to };
          }}
        />
      )}
    </div>
  );
}

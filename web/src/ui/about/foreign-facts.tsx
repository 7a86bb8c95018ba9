/** What a manifest of another host and its page say of themselves beside what folders of the library have. */
import type { VNode } from 'preact';
import type { LabeledText } from '../../../../src/core/image/folder/folder-metadata.ts';
import { isAllowedHere, reachable } from '../../data/foreign-hosts.ts';
import { foreignImage } from '../../data/images.ts';
import { manifestMessage } from '../../messages/manifest-messages.ts';
import type { Description } from '../../model/manifest/descriptions.ts';
import { thumbnailAddress } from '../../model/manifest/foreign-service.ts';
import type { PageImage } from '../../model/manifest/page-image.ts';
import { readerText } from '../../state/reader-languages.ts';
import { MetadataLine, PageLinks } from '../common/folder-facts.tsx';
import { useBroken } from '../common/picture.tsx';
import { PlaceLinks } from './place-links.tsx';

const picture = { display: 'block', maxWidth: '100%', maxHeight: '7rem', marginTop: 'var(--space-5)' } as const;

/** In pixels, shown at half of it on fine screens. */
const box = { width: 320, height: 200 };

/** The address of a picture from a host that the settings allow; undefined for others, which are not asked. */
function allowedPicture(image: PageImage | undefined): string | undefined {
  const address = image && thumbnailAddress({ image, thumbnail: undefined, canvas: image.size }, box);
  return address !== undefined && isAllowedHere(address) ? reachable(address) : undefined;
}

function Picture({ image, name }: { readonly image: PageImage | undefined; readonly name: string }): VNode | null {
  const address = allowedPicture(image);
  const { isBroken, onError } = useBroken(address ?? '');
  if (address === undefined || isBroken) return null;
  return (
    <img
      class={name}
      style={picture}
      src={address}
      alt=""
      loading="lazy"
      referrerpolicy="no-referrer"
      onError={onError}
    />
  );
}

function Places({ places }: Pick<Description, 'places'>): VNode | null {
  if (places.length === 0) return null;
  return (
    <div>
      <dt>{manifestMessage('place')}</dt>
      <dd>
        <PlaceLinks places={places} />
      </dd>
    </div>
  );
}

/** The picture that stands for the work, the sign of who provides it, and where it is. */
export function ForeignWork({ path }: { readonly path: string }): VNode | null {
  const about = foreignImage(path)?.about;
  if (about === undefined) return null;
  return (
    <>
      {about.places.length > 0 && (
        <dl class="facts">
          <Places places={about.places} />
        </dl>
      )}
      <Picture image={about.logo} name="provider-logo" />
      <Picture image={about.thumbnail} name="work-thumbnail" />
    </>
  );
}

const shown = ({ label, value }: LabeledText) => ({
  label: readerText(label).join(' '),
  value: readerText(value),
});

/** What the canvas of the open page says of itself. */
export function ForeignPageFacts({ path }: { readonly path: string }): VNode | null {
  const description = foreignImage(path)?.page.description;
  if (description === undefined) return null;
  const links = description.links.map(({ id, label }) => ({
    address: id,
    label: readerText(label).join(' ') || id,
  }));
  return (
    <>
      {description.metadata.map((pair, index) => (
        <MetadataLine key={index} line={shown(pair)} />
      ))}
      {links.length > 0 && <PageLinks links={links} />}
      <Places places={description.places} />
    </>
  );
}

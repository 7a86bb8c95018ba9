/** Places in the world, with links to the map of the reader's device. */
import type { VNode } from 'preact';
import { coordinatesText, geoAddress, type WorldPlace } from '../../model/manifest/nav-place.ts';
import { readerText } from '../../state/reader-languages.ts';

export const PlaceLinks = ({ places }: { readonly places: readonly WorldPlace[] }): VNode => (
  <>
    {places.map((place, index) => {
      const name = readerText(place.label).join(' ');
      const coordinates = coordinatesText(place);
      return (
        <p key={index}>
          <a href={geoAddress(place)}>{name || coordinates}</a>
          {name !== '' && <small class="soft"> {coordinates}</small>}
        </p>
      );
    })}
  </>
);

/** Files of control points: saved as an annotation, as GeoJSON and for QGIS, and opened. */
import { useSignal } from '@preact/signals';
import { Download } from 'lucide';
import type { VNode } from 'preact';
import { mapMessage } from '../../messages/map-messages.ts';
import { parseJson } from '../../model/json-value.ts';
import { formatGeoreference, type GeoMap, readGeoreferences } from '../../model/map/georeference.ts';
import { formatGeoJson, formatQgisPoints, parseQgisPoints } from '../../model/map/point-files.ts';
import type { StageImage } from '../../stage/layer-drawing.ts';
import { geoFrameOf, given } from '../../state/map/georeferences.ts';
import { changeMap, shownMaps } from '../../state/map/map.ts';
import { setPoints } from '../../state/map/own-points.ts';
import { canvasAddress } from '../../state/notes/page-annotations.ts';
import type { Opened } from '../../state/opened.ts';
import { Button } from '../common/button.tsx';
import { saveFile } from '../common/elements.ts';
import { OpenFileButton } from '../common/open-file-button.tsx';
import { fitMap } from './map-pane.tsx';

const stemOf = ({ card }: Opened): string =>
  card.name.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'map';

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

function saveAnnotation(opened: Opened, { info }: StageImage, map: GeoMap): void {
  const image = { width: info.width, height: info.height };
  const target = { ...canvasAddress(opened, image), image };
  saveFile(
    new Blob([json(formatGeoreference(map, target))], { type: 'application/ld+json' }),
    `${stemOf(opened)}.georef.json`,
  );
}

interface SaveProps {
  readonly opened: Opened;
  readonly image: StageImage;
}

/** Saves what is shown: the reader's points, or those that are given. */
export function SaveButtons({ opened, image }: SaveProps): VNode | null {
  const [map] = shownMaps.value;
  if (map === undefined) return null;
  const { info } = image;
  const files = [
    ['save-georeference', () => saveAnnotation(opened, image, map)],
    [
      'save-geojson',
      () =>
        saveFile(
          new Blob([json(formatGeoJson(map, info, map.transformation))], { type: 'application/geo+json' }),
          `${stemOf(opened)}.geojson`,
        ),
    ],
    [
      'save-qgis',
      () => saveFile(new Blob([formatQgisPoints(map.points)], { type: 'text/plain' }), `${pointsName(opened)}.points`),
    ],
  ] as const;
  return (
    <fieldset class="button-row row wrap" aria-label={mapMessage('save-points')}>
      {files.map(([name, save]) => (
        <Button key={name} icon={Download} onClick={save}>
          {mapMessage(name)}
        </Button>
      ))}
    </fieldset>
  );
}

/** QGIS looks for the points of `sheet.tif` in `sheet.tif.points`. */
const pointsName = (opened: Opened): string => opened.card.name || stemOf(opened);

/** The first map of a file about the image; where none is about it, the first of all, since the reader chose the file. */
function mapIn(text: string, opened: Opened, image: StageImage): Pick<GeoMap, 'points' | 'mask'> | undefined {
  const points = parseQgisPoints(text);
  if (points !== undefined) return points.length === 0 ? undefined : { points, mask: undefined };
  const value = parseJson(text);
  const [ours] = readGeoreferences(value, geoFrameOf(opened, image.info));
  return ours ?? readGeoreferences(value, geoFrameOf(opened, image.info, 'all'))[0];
}

export function FileButton({ opened }: { readonly opened: Opened }): VNode {
  const result = useSignal('');
  const read = async (file: File | undefined): Promise<void> => {
    const { image } = given.peek();
    if (file === undefined || image === undefined) return;
    const map = mapIn(await file.text(), opened, image);
    result.value = mapMessage(map === undefined ? 'file-nothing' : 'file-read', { name: file.name });
    if (map === undefined) return;
    setPoints(map.points, map.mask);
    changeMap({ given: false, edits: true });
    fitMap('at-once');
  };
  return (
    <>
      <OpenFileButton
        name={mapMessage('open-points')}
        accept=".json,.jsonld,.points,application/json,application/ld+json,text/plain"
        onFile={(file) => void read(file)}
      />
      <p role="status">{result.value}</p>
    </>
  );
}

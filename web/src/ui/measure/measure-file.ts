/** Saves the measurements on the active image as a table for spreadsheets. */
import type { Unit } from '../../../../src/core/image/model/units.ts';
import { csvText, measureColumns, measureRows } from '../../model/measure/csv-tables.ts';
import { keyOf } from '../../model/measure/units.ts';
import { notes } from '../../state/notes/notes.ts';
import { imageScale, unitChoice, unitFor, units } from '../../state/notes/scale.ts';
import { openedNow } from '../../state/opened.ts';
import { frame } from '../../state/stages.ts';
import { saveFile } from '../common/save-file.ts';

/** The chosen unit; where it depends on the length, the one that suits a centimeter, so that rows can be added up. */
const unitOfTable = (): Unit =>
  units.peek().find((unit) => keyOf(unit) === unitChoice.peek()) ??
  unitFor(unitChoice.peek() === 'imperial' ? 0.0254 : 0.005);

export function saveMeasures(): void {
  const opened = openedNow();
  const size = frame.peek()?.image;
  if (opened === undefined || size === undefined) return;
  const image = { path: opened.path, size, scale: imageScale.peek(), unit: unitOfTable() };
  const text = csvText([measureColumns, ...measureRows(notes.peek().measures, image)]);
  const name = opened.path.split('/').at(-1) ?? 'image';
  saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${name}.measurements.csv`);
}

/** Shows the source of the image's scale, and sets it by a reference length. */
import { RulerDimensionLine } from 'lucide';
import type { VNode } from 'preact';
import { language, message } from '../../messages/message.ts';
import { metersPerInch } from '../../model/measure/measure.ts';
import { formatLength, formatUnitScale, keyOf } from '../../model/measure/units.ts';
import { setScale } from '../../state/notes/note-edits.ts';
import { notes } from '../../state/notes/notes.ts';
import { imageScale, units } from '../../state/notes/scale.ts';
import { referenceLine, takeTool } from '../../state/notes/sketch.ts';
import { tool } from '../../state/tools.ts';
import { Button } from '../common/button.tsx';
import { formatDensity } from '../common/counts.ts';
import { ReferenceLength } from './reference-length.tsx';

function scaleSource(): string {
  const scale = imageScale.value;
  if (scale === undefined) return message('scale-none');
  const dpi = formatDensity(scale.x * metersPerInch, scale.y * metersPerInch);
  const set = notes.value.scale;
  if (set === undefined) return message('scale-from-dpi', { dpi });
  const unit = units.value.find((one) => keyOf(one) === set.unit);
  if (unit === undefined || set.length === undefined) return message('scale-from-drawn', { dpi });
  const length = formatLength(set.length * unit.meters, unit, language.value);
  return message('scale-from-line', { length, unit: formatUnitScale(unit, scale, language.value) });
}

export function ScaleSection(): VNode {
  const line = referenceLine.value;
  return (
    <section class="panel-section">
      <h3>{message('scale')}</h3>
      <p class="soft">{scaleSource()}</p>
      {line === undefined ? (
        <div class="button-row scale-tools">
          <Button
            icon={RulerDimensionLine}
            tool
            pressed={tool.value === 'reference-length'}
            onClick={() => takeTool('reference-length')}
          >
            {message('measure-reference-length')}
          </Button>
          {notes.value.scale && <Button onClick={() => setScale(undefined)}>{message('scale-forget')}</Button>}
        </div>
      ) : (
        <ReferenceLength line={line} />
      )}
      {tool.value === 'reference-length' && <p class="tool-hint">{message('hint-two-points')}</p>}
    </section>
  );
}

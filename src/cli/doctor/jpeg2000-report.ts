/** The report of `lectern doctor` on JPEG 2000 files: those whose shape makes them slow. */
import type { Resolution } from '../../core/image/model/image-set.ts';
import { encoderSettings, slowShape } from '../../core/image/plan/jpeg2000-shape.ts';
import { counted, printable } from '../common/text.ts';

/** Maximum number of files that are named; the others are counted. */
const maxNamed = 20;

/** Collects JPEG 2000 files in bounded memory. */
export class Jpeg2000Files {
  readonly named: string[] = [];
  count = 0;
  slow = 0;

  /** Adds a file, which has one page where it is of this format; `file` is the path that is printed. */
  add(file: string, [page]: readonly Resolution[]): void {
    if (page?.jpeg2000 === undefined) return;
    this.count++;
    const faults = slowShape(page);
    if (faults.length === 0) return;
    this.slow++;
    if (this.named.length < maxNamed) this.named.push(`  ${printable(file)}: ${faults.join('; ')}`);
  }
}

/** The lines of the report; none where there are no such files, or none of them is slow. */
export function jpeg2000Report({ named, count, slow }: Jpeg2000Files): readonly string[] {
  if (slow === 0) return [];
  const files = counted(count, 'JPEG 2000 file', 'JPEG 2000 files');
  return [
    `${slow.toLocaleString('en')} of ${files} ${slow === 1 ? 'has' : 'have'} a shape that makes them slow to decode until they have a pyramid:`,
    ...named,
    ...(slow > named.length ? [`  and ${(slow - named.length).toLocaleString('en')} more`] : []),
    ...encoderSettings,
  ];
}

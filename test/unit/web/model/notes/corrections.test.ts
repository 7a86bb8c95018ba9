/** Corrections of lines: what they quote, and that a file of them is read back as they were. */
import { describe, expect, it } from 'vitest';
import { formatAnnotations } from '../../../../../web/src/model/notes/annotation-page.ts';
import { parseAnnotations } from '../../../../../web/src/model/notes/annotation-reader.ts';
import { readNotes } from '../../../../../web/src/model/notes/own-notes.ts';
import { correctionOf } from '../../../../../web/src/model/text/line-correction.ts';
import { readPageText } from '../../../../../web/src/model/text/page-text.ts';
import { wholeImage } from '../../../../../web/src/model/view-state.ts';

const text = readPageText({
  direction: 'ltr',
  width: 100,
  height: 100,
  blocks: [
    {
      lines: ['One line', 'another line', 'the last'].map((line) => ({
        words: line.split(' ').map((word) => ({ text: word })),
      })),
    },
  ],
});

const correction = { text: 'an other line', corrects: correctionOf(text, 1, 1) };
const region = { x: 0.1, y: 0.2, width: 0.3, height: 0.4, id: 'urn:uuid:1', ...correction };

const canvas = {
  id: 'https://a.example/canvas',
  size: { width: 1000, height: 2000 },
  manifest: undefined,
  picture: undefined,
  service: undefined,
};

describe('a correction', () => {
  it('quotes its line, with what stands around it', () => {
    expect(correctionOf(text, 1, 1)).toEqual({ exact: 'another line', prefix: 'One line ', suffix: ' the last' });
    expect(correctionOf(text, 0, 0)).toEqual({ exact: 'One line', suffix: ' another line the last' });
    expect(correctionOf(text, 1, 2)).toEqual({ exact: 'another line the last', prefix: 'One line ' });
  });

  it('is read back from its annotation and from the browser’s store', () => {
    const page = formatAnnotations({ marks: [], rectangles: [region], measures: [] }, canvas);
    expect(page.items[0]?.motivation).toBe('editing');
    const read = parseAnnotations(JSON.stringify(page), () => ({ size: canvas.size, place: wholeImage }));
    expect(read.faults).toEqual([]);
    expect(read.annotations.rectangles).toEqual([region]);
    expect(readNotes(JSON.parse(JSON.stringify({ rectangles: [region] }))).rectangles).toEqual([region]);
  });

  it('is none where nothing is quoted', () => {
    const [stored] = readNotes({ rectangles: [{ ...region, corrects: { prefix: 'x' } }] }).rectangles;
    expect(stored).not.toHaveProperty('corrects');
  });
});

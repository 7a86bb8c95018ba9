import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAt, linesShown, parseCaptions } from '../../../../../web/src/model/media/captions.ts';

describe('captions', () => {
  it('of WebVTT have times, voices and plain texts', () => {
    const file = `\ufeffWEBVTT - a talk\r\n\r\nNOTE nothing\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nfirst\r\n00:01.000 --> 00:03.500 align:start\r\n<v.loud Ann Smith>Tom &amp; <i>Jerry</i></v>\r\nsecond line\r\n\r\n01:00:00.000 --> 01:00:01.000\r\n<00:00.500>late`;
    expect(parseCaptions(file)).toEqual([
      { from: 1, to: 3.5, text: 'Tom & Jerry\nsecond line', voice: 'Ann Smith' },
      { from: 3600, to: 3601, text: 'late', voice: '' },
    ]);
  });

  it('of SubRip are read too', () => {
    expect(parseCaptions('1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nthere')).toEqual(
      [
        { from: 1, to: 2, text: 'Hello', voice: '' },
        { from: 3, to: 4, text: 'there', voice: '' },
      ],
    );
  });

  it('without times, or that end before they begin, are left out', () => {
    expect(parseCaptions('WEBVTT\n\n00:02.000 --> 00:01.000\nno\n\njust text\n\n00:01.000 --> 00:02.000\n')).toEqual(
      [],
    );
  });

  it('are in the order of their times, whatever is read', () => {
    const part = fc.constantFrom(
      '00:01.000',
      '10:00:00.000',
      ' --> ',
      '\n',
      '\n\n',
      '<v A>',
      '&lt;',
      'text',
      'WEBVTT',
      '99:99',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const times = parseCaptions(parts.join('')).map(({ from }) => from);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
    );
  });

  it('are found by their times', () => {
    const cues = [0, 2, 4].map((from) => ({ from, to: from + 2.5, text: String(from), voice: '' }));
    expect([-1, 0, 1.9, 2, 100].map((time) => lineAt(cues, time))).toEqual([-1, 0, 0, 1, 2]);
    expect(linesShown(cues, 2.2).map(({ text }) => text)).toEqual(['0', '2']);
    expect(linesShown(cues, 7)).toEqual([]);
  });
});

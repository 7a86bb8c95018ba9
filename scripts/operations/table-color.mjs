// The operations that change colors, each on the photograph and on a target of ramps and hues.

/** The query of the second picture of each entry, without the operation. */
export const target = 'fn=objects/scan-16bit&dw=320&dh=160&mo=squeeze';
const photo = 'fn=objects/photo-rotated&dw=320';

/** An entry with a picture of the photograph and one of the target, whose files begin with `file`. */
const both = (shows, file, query, text) => ({
  shows,
  text,
  pictures: [
    { file: `${file}-photo`, query: query === '' ? photo : `${photo}&${query}` },
    { file: `${file}-target`, query: query === '' ? target : `${target}&${query}` },
  ],
});

const channels = {
  title: 'Colors',
  intro: `Each call is shown on the photograph and on a calibration target (<code>${target.replaceAll('&', '&amp;')}</code>): ramps of gray, red, green
and blue, hues, and a deep shadow that only 16 bits can hold. v is a channel’s value from 0 to 255. After
<code>rgbm</code> and <code>rgba</code>, and again after <code>cont</code> and <code>brgt</code>, values are clamped to 0 … 255; they are rounded once, at the
end. Alpha is not changed.`,
  entries: [
    both([], 'color-none', '', 'Without an operation.'),
    both(
      ['rgbm'],
      'color-rgbm',
      'rgbm=0.6/0/-0.8',
      'v′ = v · 2<sup>value</sup>: here red · 1.52 and blue · 0.57. A text that is not three numbers has no effect.',
    ),
    both(['rgba'], 'color-rgba', 'rgba=-40/0/60', 'v′ = v + value, after <code>rgbm</code>.'),
    both(['cont'], 'color-cont-more', 'cont=0.5', 'v′ = v · 2<sup>cont</sup>: here v · 1.41.'),
    both(['cont'], 'color-cont-less', 'cont=-1', 'Here v · 2<sup>−1</sup> = v · 0.5.'),
    both(['brgt'], 'color-brgt-more', 'brgt=60', 'v′ = v + brgt, after <code>cont</code>.'),
    both(['brgt'], 'color-brgt-less', 'brgt=-60', 'Here v − 60.'),
    both(
      ['cont', 'brgt'],
      'color-cont-brgt',
      'cont=1.2&brgt=-110',
      'v′ = v · 2<sup>1.2</sup> − 110: the middle is spread, both ends are cut.',
    ),
    {
      shows: ['cont'],
      text: 'Here v · 2<sup>3.6</sup> = v · 12. The ramp at the foot is almost black in the scan, and opens smoothly, because all 16 bits are used.',
      pictures: [{ file: 'color-deep-shadow', query: `${target}&cont=3.6` }],
    },
  ],
};

const operators = {
  title: 'Color operators',
  intro: `<code>colop</code> comes last. Its name can be written in any case; an unknown one has no effect. Luminance
Y = 0.2126 R + 0.7152 G + 0.0722 B, on the values as they are stored.`,
  entries: [
    both(['colop', 'colop=GRAYSCALE'], 'operator-grayscale', 'colop=GRAYSCALE', 'R′ = G′ = B′ = Y.'),
    both(
      ['colop=NTSC_GRAY'],
      'operator-ntsc-gray',
      'colop=NTSC_GRAY',
      'R′ = G′ = B′ = 0.299 R + 0.587 G + 0.114 B. Reds and blues are lighter.',
    ),
    both(['colop=BITONAL'], 'operator-bitonal', 'colop=BITONAL', '255 where Y ≥ 128, else 0.'),
    both(['colop=INVERT'], 'operator-invert', 'colop=INVERT', 'v′ = 255 − v.'),
    both(
      ['colop=MAP_GRAY_BGR'],
      'operator-map-gray',
      'colop=MAP_GRAY_BGR',
      'Y below 64: (0, 4 Y, 255); below 192: (2 (Y − 64), 255, 255 − 2 (Y − 64)); else (255, 255 − 4 (Y − 192), 0).',
    ),
    both(
      ['colop=INVERT', 'cont'],
      'operator-after-contrast',
      'cont=1&colop=INVERT',
      'v′ = 255 − min(255, 2 v): contrast first, then the operator.',
    ),
  ],
};

export const colorSections = [channels, operators];

/** What is read of style sheets in manifests: colors, sizes and rotations. All else, such as pictures of other hosts, is left out. */

/** The longest sheet that is read, in characters. */
const maxLength = 20_000;

const blocks = /([^{}]{1,500})\{([^{}]{0,2000})\}/g;

/** The value of a property in declarations such as `color: red; width: 3px`; of several the last. */
export const styleValue = (style: string, property: string): string | undefined =>
  style
    .split(';')
    .map((declaration) => declaration.split(':'))
    .filter(([name = '']) => name.trim().toLowerCase() === property)
    .at(-1)
    ?.slice(1)
    .join(':')
    .trim();

/** The declarations of a class. */
function declarationsOf(sheet: string, styleClass: string): string {
  const plain = sheet.slice(0, maxLength).replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '');
  return [...plain.matchAll(blocks)]
    .filter(([, selector = '']) => selector.split(',').some((one) => one.trim() === `.${styleClass}`))
    .map(([, , body = '']) => body)
    .join(';');
}

/** A color of a class: a name, a hexadecimal or a functional color; undefined for anything else. */
export function colorOfClass(
  sheet: string,
  styleClass: string,
  property: 'color' | 'background-color' = 'color',
): string | undefined {
  const value = styleValue(declarationsOf(sheet, styleClass), property) ?? '';
  return /^(?:[a-z]{3,24}|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d.,%\s/]{3,60}\))$/i.test(value) ? value : undefined;
}

/** The degrees clockwise by which a class turns; undefined for none. */
export function rotationOfClass(sheet: string, styleClass: string): number | undefined {
  const transform = styleValue(declarationsOf(sheet, styleClass), 'transform') ?? '';
  const [, degrees] = /(?:^|\s)rotate\(\s*(-?[\d.]{1,12})deg\s*\)/i.exec(transform) ?? [];
  const turn = Number(degrees ?? Number.NaN);
  return Number.isFinite(turn) ? turn : undefined;
}

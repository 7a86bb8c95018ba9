/** The names of the color operators. */
import type { ColorOperator } from '../../../../src/core/image/model/color.ts';
import type { MessageKey } from '../../messages/messages.ts';

export const operatorNames: Readonly<Record<ColorOperator, MessageKey>> = {
  GRAYSCALE: 'colop-grayscale',
  NTSC_GRAY: 'colop-ntsc',
  BITONAL: 'colop-bitonal',
  INVERT: 'colop-invert',
  MAP_GRAY_BGR: 'colop-map',
};

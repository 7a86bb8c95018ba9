import { describe, expect, it } from 'vitest';
import { infoObject, infoText } from '../../../../src/features/digilib/info-object.ts';
import { defaultValues, parameterNames, parseQuery } from '../../../../src/features/digilib/parameters.ts';
import { imageOf } from '../../core/image/image-builder.ts';

const context = { method: 'GET', address: 'http://h/api/dlInfo-json.jsp?x="<\\>&é', id: '1f' };

describe('the info object', () => {
  it('is the same as text, whatever the request says', () => {
    const image = imageOf({ width: 30, height: 20, dpi: { x: 299.6, y: 150.4 } });
    for (const query of ['', 'dw=5&mo=png,fit', 'fn="a"&wx=1e-5', 'img.fn=x&img.pix_x=7', 'x=1']) {
      for (const found of [undefined, image]) {
        const values = query === '' ? defaultValues : parseQuery(query);
        const object = infoObject(values, context, found);
        expect(infoText(values, found)(context)).toBe(JSON.stringify(object));
        expect(Object.keys(object)).toEqual(parameterNames);
      }
    }
  });

  it('replaces what a client sent under the names of the image’s facts', () => {
    const image = imageOf({ width: 30, height: 20, dpi: { x: 299.6, y: 150.4 } });
    expect(infoObject(parseQuery('img.fn=x&img.pix_x=7&img.dpiy=1'), context, image)).toMatchObject({
      'img.fn': 'image.jpeg',
      'img.pix_x': '30',
      'img.pix_y': '20',
      'img.dpix': '300',
      'img.dpiy': '150',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { formatStepView, isSamePage, stepView } from '../../../../../web/src/model/tour/step-view.ts';
import { plainView } from '../../../../../web/src/model/view-state.ts';

describe('the view of a step', () => {
  it.each([
    '',
    'wx=0.1&wy=0.2&ww=0.3&wh=0.4&rot=90&mo=hmir',
    'cont=1&brgt=20&fx=sharp&layers=1,3/0.5&mix=blink',
    'mk=0.5/0.5&mkt=here',
    'pages=2&shift=1',
  ])('is written and read as %j', (view) => expect(formatStepView(stepView({ page: 'book/a', view }))).toBe(view));

  it('has nothing that belongs to the reader alone', () => {
    const state = {
      ...plainView('book/a'),
      search: 'rose',
      selectsText: true,
      ddpi: 120,
      layout: 'gallery' as const,
      tour: { source: 'x', step: 2 },
      unknown: [['a', 'b']] as const,
    };
    expect(formatStepView(state)).toBe('');
    const read = stepView({ page: 'book/a', view: 'q=rose&tour=y&layout=gallery&other=1&pn=7' });
    expect(read).toEqual(plainView('book/a'));
  });
});

it.each([
  ['book/a.jpg', 'book/a.jpg', true],
  ['book/a', 'book/a.jpg', true],
  ['book/a.tif', 'book/a', true],
  ['book/a', 'book/ab.jpg', false],
  ['book/a', 'book/a.b/c.jpg', false],
  ['book/a.jpg', 'book/a.tif', false],
])('%s and %s are the same page: %s', (one, other, is) => expect(isSamePage(one, other)).toBe(is));

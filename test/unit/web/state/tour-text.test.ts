import { describe, expect, it } from 'vitest';
import { type Tour, tourLimits } from '../../../../src/core/image/tour/tour.ts';
import { isPacked, packTour, unpackTour } from '../../../../web/src/state/tour/tour-text.ts';

const tourOf = (text: string, steps = 1): Tour => ({
  title: { none: ['Über alles'] },
  summary: {},
  steps: Array.from({ length: steps }, (_, at) => ({
    page: `book/page-${at}.jpg`,
    view: 'wx=0.1&ww=0.5',
    title: { none: [`Step ${at} 😀`] },
    text: { none: [text] },
  })),
});

describe('guided views as the text of an address', () => {
  it('are read as they were written, in characters that addresses have', async () => {
    const tour = tourOf('Lines\nof text, “quoted”', 12);
    const text = (await packTour(tour)) ?? '';
    expect(text).toMatch(/^z:[A-Za-z0-9_-]+$/);
    expect(isPacked(text)).toBe(true);
    expect(await unpackTour(text)).toEqual(tour);
  });

  it('are none where they would be too long', async () => {
    const words = Array.from({ length: 4000 }, (_, at) => ((at * 7919) % 99_991).toString(36)).join(' ');
    expect(await packTour(tourOf(words))).toBeUndefined();
  });

  it.each(['z:', 'z:%%%', 'z:AAAA', `z:${'A'.repeat(4000)}`, 'z:q1YqSS1RsqpWKkrNTS1RqgUA'])(
    'are none in %j',
    async (text) => expect(await unpackTour(text)).toBeUndefined(),
  );

  it('are given up where they would grow beyond their bound', async () => {
    const { deflateRawSync } = await import('node:zlib');
    const bomb = deflateRawSync(JSON.stringify({ steps: [{ page: 'a', text: 'x'.repeat(2 * tourLimits.bytes) }] }));
    expect(bomb.length).toBeLessThan(10_000);
    expect(await unpackTour(`z:${bomb.toString('base64url')}`)).toBeUndefined();
  });
});

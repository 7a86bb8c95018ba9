import { describe, expect, it } from 'vitest';
import { dutyPage } from '../../../../src/features/duty/duty-page.ts';
import type { CostRow, DutyReport } from '../../../../src/features/duty/report.ts';

const row = (name: string, facts: Partial<CostRow> = {}): CostRow => ({
  name,
  ...{ requests: 1, ms: 10, share: 0.125, bytes: 100, refused: 0, longestMs: 10 },
  ...facts,
});

const full = { left: 10, size: 10, binds: false, refused: 0 };

const report: DutyReport = {
  at: '2026-11-26T23:00:00.000Z',
  ...{ over: 600, seconds: 640, by: 'refused' },
  total: row('all', { requests: 12_345, ms: 150_000, bytes: 3_500_000 }),
  networks: [row('198.51.100.0/24', { agent: '<i>&"' }), row('unknown')],
  systems: [row('AS64500 <b>Example</b>')],
  agents: [row('curl 8.5')],
  kinds: [row('picture')],
  refusals: [row('over-budget document')],
  files: [row('<script>alert(1)</script>.tif')],
  renderings: { small: { running: 1, waiting: 2 }, large: { running: 3, waiting: 4000 } },
  pyramids: { waiting: 5, building: 1, failed: 6 },
  budgets: [
    { name: 'processor of strangers', left: -1, size: 10, binds: true, refused: 1234 },
    { name: 'originals of caller', ...full, left: 5 },
    { name: 'originals of system', ...full },
    { name: 'another <one>', ...full, refused: 1 },
  ],
  holds: [{ network: '198.51.100.0/24', until: '2026-11-26T23:30:00.000Z' }],
};

const htmlIn = (language: 'en' | 'de' | 'fr', changed: Partial<DutyReport> = {}): string =>
  dutyPage({ ...report, ...changed }, language).html;

describe('the page for the person on duty', () => {
  it('is made of text alone, whatever clients send and files are called', () => {
    const html = htmlIn('en');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;.tif');
    expect(html).toContain('<small>&lt;i&gt;&amp;&quot;</small>');
    expect(html).toContain('AS64500 &lt;b&gt;Example');
    expect(html).toContain('another &lt;one&gt;');
    expect(html).not.toMatch(/<i>|<b>Example|alert\(1\)<\/script>/);
  });

  it('has words in each language, with numbers as they are written there', () => {
    expect(htmlIn('en')).toMatch(/Last 10 minutes<\/a>[\s\S]*12,345[\s\S]*2\.5 min[\s\S]*3\.5 MB/);
    expect(htmlIn('de')).toMatch(/Letzte 10 Minuten<\/a>[\s\S]*12\.345[\s\S]*2,5 Min\.[\s\S]*3,5 MB/);
    expect(htmlIn('fr')).toMatch(/10 dernières minutes<\/a>[\s\S]*12\u202f345[\s\S]*2,5\smin/);
    expect(/<main>(.*)<\/main>/s.exec(htmlIn('fr'))?.[1]).not.toMatch(/[a-zé] [;:!?]/);
    for (const language of ['en', 'de', 'fr'] as const) expect(htmlIn(language)).not.toMatch(/undefined|NaN|\{\w+\}</);
    expect(htmlIn('de')).toContain('über Budget oder angehalten · Dokumente');
  });

  it('shows budgets of which something was taken, and says which refuse', () => {
    const html = htmlIn('de');
    expect(html).toMatch(/<tr class="binds"><th scope="row">Prozessor · alle Fremden <strong>lehnt jetzt ab<\/strong>/);
    expect(html).toContain('value="0.000"');
    expect(html).toMatch(/Originale · je Absender<\/th>.*50 %/);
    expect(html).not.toContain('je autonomes System');
    expect(htmlIn('en', { budgets: [{ name: 'a', ...full }] })).toContain('All budgets are full.');
    expect(htmlIn('en', { budgets: [] })).not.toContain('Budgets');
  });

  it('offers to hold what is a network, and to release what is held', () => {
    const html = htmlIn('en');
    expect(html.match(/value="release"/g)).toHaveLength(2);
    expect(html).toContain('30 min left');
    expect(html).not.toMatch(/(?:Hold for an hour|Release): unknown/);
    const free = htmlIn('en', { holds: [] });
    expect(free).toContain('aria-label="Hold for an hour: 198.51.100.0/24"');
    expect(free).not.toContain('Held networks');
  });
});

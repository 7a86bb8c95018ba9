/** The list of robots that gather what models are trained with: ours is right, and faults of a site’s own are named. */
import { expect, it } from 'vitest';
import { parseRobotsFile, readRobotsFile } from '../../../src/config/files/robots-file.ts';

it('the list of this version has a date, and names the best known', () => {
  const { date, names, faults } = readRobotsFile(new URL('../../../assets/training-robots.txt', import.meta.url));
  expect(faults).toEqual([]);
  expect(Date.parse(date)).toBeGreaterThan(Date.parse('2026-01-01'));
  expect(names).toEqual(expect.arrayContaining(['GPTBot', 'ClaudeBot', 'CCBot', 'Google-Extended', 'Bytespider']));
  // They fetch a page because a person asks, or for a search.
  for (const other of ['Googlebot', 'bingbot', 'ChatGPT-User', 'OAI-SearchBot']) expect(names).not.toContain(other);
});

it.each([
  ['date: 2026-02-30\nGPTBot', 'needs one line such as “date: 2026-11-26”'],
  ['GPTBot', 'needs one line such as'],
  ['date: 2026-01-01\ndate: 2026-01-02\nGPTBot', 'needs one line such as'],
  ['date: 2026-01-01\n# nobody', 'names none'],
  ['date: 2026-01-01\nGPTBot\n\nUser-agent: CCBot', 'Line 4 of the list of robots is no name'],
  ['date: 2026-01-01\n*', 'Line 2 of the list of robots is no name'],
  [`date: 2026-01-01\n${Array.from({ length: 2001 }, (_, at) => `Bot${at}`).join('\n')}`, 'more than 2000 names'],
])('%j has a fault', (text, fault) => expect(parseRobotsFile(text).faults.join()).toContain(fault));

it('a file that is not there is a fault', () =>
  expect(readRobotsFile('/nowhere/robots').faults).toEqual(['there is no file /nowhere/robots that can be read']));

/** `kill -9` of a process that writes to the cache directory, more often than the tests of the command have time for. */
import { it } from 'vitest';
import { expectCacheSurvivesKills } from '../cli/cache-process.ts';

it('often killed while files are written, the cache has no wrong bytes, and partial files are removed', () =>
  expectCacheSurvivesKills(30));

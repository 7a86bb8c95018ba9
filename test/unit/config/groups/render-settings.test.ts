/** The number of render processes that is taken where the settings don't say it. */
import { expect, it } from 'vitest';
import { defaultProcesses } from '../../../../src/config/groups/render-settings.ts';

const gibibyte = 2 ** 30;

it.each([
  { processors: 2, memory: 24, processes: 2 },
  { processors: 64, memory: 1, processes: 2 },
  { processors: 64, memory: 8, processes: 21 },
  { processors: 4, memory: 0.25, processes: 1 },
])('is $processes for $processors processors and $memory GiB', ({ processors, memory, processes }) => {
  expect(defaultProcesses(processors, memory * gibibyte)).toBe(processes);
});

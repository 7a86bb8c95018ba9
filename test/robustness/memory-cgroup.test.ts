/** The fixtures of this folder do what the tests rely on: a limit that kills, counts that tell, and nothing left behind. */
import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startConfinedServer } from '../fixtures/confined-server.ts';
import { createMemoryCgroup } from '../fixtures/memory-cgroup.ts';

const MiB = 2 ** 20;

describe('a memory cgroup', { tags: 'memory-cgroup' }, () => {
  it('kills a process that uses more than its limit, and says so', async () => {
    const group = createMemoryCgroup(150 * MiB);
    const program = 'setInterval(() => (globalThis.all ??= []).push(Buffer.alloc(10 * 2 ** 20, 1)), 1)';
    const child = group.spawn(process.execPath, ['-e', program]);
    const signal = await new Promise((resolve) => child.once('close', (_code, name) => resolve(name)));
    expect([signal, group.kills() > 0]).toEqual(['SIGKILL', true]);
    expect(group.peakUsageBytes()).toBeGreaterThan(140 * MiB);
    await group.remove();
    expect(group.kills()).toBeGreaterThan(0);
  });

  it('has the server with its render processes in it, and ends them all', async () => {
    const server = await startConfinedServer({ memoryBytes: 1024 * MiB, env: { LECTERN_RENDER__PROCESSES: '2' } });
    const status = await new Promise((resolve, reject) => {
      get(`${server.url}/Scaler?fn=photos/land3000x2000&dw=200`, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(status).toBe(200);
    expect(server.group.processIds()).toContain(server.pid);
    expect(server.renderProcessIds()).toHaveLength(2);
    expect(server.group.anonymousBytes()).toBeGreaterThan(50 * MiB);
    expect(server.isUnharmed()).toBe(true);
    const ids = server.group.processIds();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(ids.filter((id) => existsSync(`/proc/${id}`))).toEqual([]);
    expect(server.group.kills()).toBe(0);
  });
});

/** What a running server takes on of a changed configuration. */
import { describe, expect, it } from 'vitest';
import { planReload } from '../../../src/app/settings/reload.ts';
import { settingsSchema } from '../../../src/app/settings/settings.ts';

const settingsOf = (given: object) => settingsSchema.parse({ library: { folders: ['/scans'] }, ...given });

describe('a reload', () => {
  it('takes on what it can, and keeps the running values of what needs a start', () => {
    const running = settingsOf({});
    const wanted = settingsOf({
      library: { folders: ['/scans', '/small'] },
      http: { port: 9000, cacheControl: 'no-cache' },
      limits: { maxArea: 5, outgoingBytes: 2 ** 26 },
      access: { paths: [{ path: 'private', roles: ['staff'] }] },
      accessLog: { stdout: true },
      cache: { directory: '/elsewhere' },
    });
    const { settings, needsStart } = planReload(running, wanted);
    expect([...needsStart].sort()).toEqual([
      'accessLog.stdout',
      'cache.directory',
      'http.port',
      'library.folders',
      'limits.outgoingBytes',
    ]);
    expect(settings).toEqual({
      ...running,
      http: { ...running.http, cacheControl: 'no-cache' },
      limits: { ...running.limits, maxArea: 5 },
      access: wanted.access,
    });
  });

  it('takes away what the new configuration leaves out', () => {
    const running = settingsOf({ access: { paths: [] }, limits: { maxWidth: 10 } });
    const { settings, needsStart } = planReload(running, settingsOf({}));
    expect(needsStart).toEqual([]);
    expect([settings.access, settings.limits.maxWidth]).toEqual([undefined, undefined]);
  });
});

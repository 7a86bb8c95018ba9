import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ProviderRefusal } from '../../../../src/features/sign-in/provider.ts';
import { createSealing } from '../../../../src/features/sign-in/sealing.ts';
import { Sessions, sessionCookie } from '../../../../src/features/sign-in/sessions.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-sessions-'));
const keysFile = path.join(scratch, 'keys');
writeFileSync(keysFile, randomBytes(32).toString('base64url'));
afterAll(() => rmSync(scratch, { recursive: true }));

const issuer = 'https://login.example';
const minute = 60_000;

/** A server that is started at a time, and how often it has asked the provider, which knows the session or not. */
function startAt(startMs: number, isKnown = true) {
  const clock = { nowMs: startMs, asked: 0 };
  const sessions = new Sessions({
    ...{ sealing: createSealing(keysFile), issuer, maxMs: 600 * minute, refreshMs: 5 * minute, roles: [] },
    provider: {
      async refresh() {
        clock.asked += 1;
        if (!isKnown) throw new ProviderRefusal('invalid_grant');
        return { subject: 'anna', claims: { name: 'Anna' }, refreshToken: 'next' };
      },
    },
    userOf: async () => undefined,
    rolesClaim: undefined,
    onFault: () => undefined,
    now: () => clock.nowMs,
  });
  return { clock, sessions };
}

const requestWith = (value: string) => ({ headers: { cookie: `${sessionCookie}=${value}` } }) as IncomingMessage;

describe('a session', () => {
  const begin = async (refreshToken?: string) => {
    const { sessions } = startAt(0);
    const session = sessions.begin({
      subject: 'anna',
      claims: { name: 'Anna' },
      ...(refreshToken && { refreshToken }),
    });
    return requestWith(await sessions.seal(session));
  };

  it('is checked by a server that was started after it, which cannot know whether it has ended', async () => {
    const { clock, sessions } = startAt(minute);
    expect(await sessions.signedIn(await begin('first'))).toMatchObject({ name: 'Anna' });
    expect(clock.asked).toBe(1);
    const gone = startAt(minute, false);
    expect(await gone.sessions.signedIn(await begin('first'))).toHaveProperty('fault');
  });

  it('is checked once for that', async () => {
    const { clock, sessions } = startAt(minute);
    const cookie = (await begin('first')).headers.cookie ?? '';
    for (let time = 0; time < 3; time++) await sessions.signedIn({ headers: { cookie } } as IncomingMessage);
    expect(clock.asked).toBe(1);
  });

  it('that the provider gives no refresh token for goes on', async () => {
    const { clock, sessions } = startAt(minute);
    expect(await sessions.signedIn(await begin())).toMatchObject({ name: 'Anna' });
    expect(clock.asked).toBe(0);
  });
});

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

describe('what stands for a session', () => {
  const standing = async (refreshToken?: string) => {
    const first = startAt(0);
    const session = first.sessions.begin({
      subject: 'anna',
      claims: { name: 'Anna' },
      ...(refreshToken && { refreshToken }),
    });
    return { ...first, session };
  };

  it('holds without a question to the provider, until the session ends or is over', async () => {
    const { clock, sessions, session } = await standing('first');
    expect(await sessions.holds(session)).toMatchObject({ name: 'Anna' });
    expect(clock.asked).toBe(0);
    clock.nowMs = 601 * minute;
    expect(await sessions.holds(session)).toHaveProperty('fault');
    clock.nowMs = minute;
    sessions.end(session);
    expect(await sessions.holds(session)).toHaveProperty('fault');
  });

  it('does not hold where a server was started after the session was checked', async () => {
    const later = startAt(minute);
    expect(await later.sessions.holds((await standing('first')).session)).toHaveProperty('fault');
    expect(await later.sessions.holds((await standing()).session)).toMatchObject({ name: 'Anna' });
  });
});

describe('the viewers of a session', () => {
  it('are those of the cookie, also where it was checked meanwhile', async () => {
    const { clock, sessions } = startAt(0);
    const session = sessions.begin({ subject: 'anna', claims: { name: 'Anna' }, refreshToken: 'first' });
    clock.nowMs = 6 * minute;
    const viewers = ['https://viewer.example'];
    await sessions.signedIn(requestWith(await sessions.seal(session)));
    const found = await sessions.of(requestWith(await sessions.seal({ ...session, viewers })));
    expect(found).toMatchObject({ session: { viewers, claims: { name: 'Anna' } }, cookie: sessionCookie });
  });
});

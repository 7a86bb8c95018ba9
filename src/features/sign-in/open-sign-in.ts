/** Opens the parts of the sign-in for the settings: loaded only where people sign in, since it needs what others do not. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { CoreSettings } from '../../config/core-settings.ts';
import { createFaultLog } from '../../core/http/failure-log.ts';
import { clientKeyOf, type TrustedProxies } from '../../core/http/origin.ts';
import { Provider } from './provider.ts';
import { createSealing, type Sealing } from './sealing.ts';
import { Sessions } from './sessions.ts';
import { SharedEndings } from './shared-endings.ts';
import type { SignIn } from './sign-in-settings.ts';
import { Users } from './users.ts';

export interface OpenSignIn {
  readonly sealing: Sealing;
  readonly sessions: Sessions;
  readonly provider: Provider | undefined;
  /** Undefined where nobody has a password. */
  readonly users: Users | undefined;
  /** Logs a message with that of an error, which may hold claims; repeats are counted. */
  onFault(message: string, error: unknown): void;
  close(): void;
}

export function openSignIn(
  signIn: SignIn,
  {
    redis,
    trusted,
    logger,
  }: { readonly redis: CoreSettings['redis']; readonly trusted: TrustedProxies; readonly logger: Logger },
): OpenSignIn {
  const faults = createFaultLog(logger);
  const onFault = faults.report;
  const { usersFile, provider: settings, keysFile } = signIn;
  const hasUsers = signIn.users.length > 0 || usersFile !== undefined;
  const clientOf = (request: IncomingMessage): string => clientKeyOf(request, trusted);
  const users = hasUsers ? new Users({ users: signIn.users, usersFile, clientOf, onFault }) : undefined;
  const provider = settings && new Provider(settings);
  const sealing = createSealing(keysFile);
  const maxMs = signIn.maxHours * 3_600_000;
  const onEnded = (key: string, atMs: number): void => sessions.noteEnded(key, atMs);
  const endings = redis && new SharedEndings({ redis, maxMs, onEnded, onFault });
  void endings?.start();
  const sessions = new Sessions({
    ...{ sealing, provider, onFault, maxMs },
    issuer: settings?.issuer,
    onEnded: (key, atMs) => void endings?.tell(key, atMs),
    refreshMs: signIn.refreshMinutes * 60_000,
    roles: settings?.roles ?? [],
    rolesClaim: settings?.rolesClaim,
    async userOf({ subject, password }) {
      const user = await users?.named(subject);
      return user && users?.markOf(user) === password ? { name: user.name, roles: user.roles } : undefined;
    },
  });
  return {
    ...{ sealing, sessions, provider, users, onFault },
    close() {
      endings?.close();
      faults.close();
    },
  };
}

/** A provider of OpenID Connect for tests (`oidc-provider`), in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
  /** What else the provider says of it: `roles`, `realm_access`. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Where the server is that people sign in to. */
interface Client {
  readonly redirectUris: readonly string[];
  readonly logoutUris?: readonly string[];
  readonly backChannelUri?: string;
}

interface ProviderOptions {
  readonly account: Account;
  /** The client is public without one. */
  readonly secret?: string;
  /** How far its clock is ahead of this machine’s, in ms. */
  readonly clockMs?: number;
  readonly givesRefreshTokens?: boolean;
  /** Whether each refresh token is taken once. */
  readonly rotates?: boolean;
  /** Whether ID tokens have all claims, which are else asked for at another address. */
  readonly claimsInToken?: boolean;
  /** Whether people are asked who they are. */
  readonly asks?: boolean;
}

interface Changes {
  readonly account?: Account;
  readonly asks?: boolean;
  readonly fault?: 'hangs' | 'fails' | null;
}

export interface TestProvider {
  readonly issuer: string;
  /** Has to be called once the server runs, which in turn is started with the issuer. Until then the provider answers 503. */
  register(client: Client): Promise<void>;
  set(changes: Changes): Promise<void>;
  /** From now on it signs with another key, and publishes that alone. */
  rotateKeys(): Promise<void>;
  /** What was asked of it since the last call, such as `POST /token`. */
  takeRequests(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL('./provider-process.mjs', import.meta.url));

export async function startProvider(given: ProviderOptions): Promise<TestProvider> {
  const defaults = { clockMs: 0, givesRefreshTokens: true, rotates: false, claimsInToken: true, asks: false };
  const options = { ...defaults, ...given };
  const child: ChildProcess = fork(program, {
    env: { ...process.env, PROVIDER_OPTIONS: JSON.stringify(options), NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', ({ value }: { readonly value: number }) => resolve(value));
    child.once('exit', (code) => reject(new Error(`The provider did not start: it ended with code ${code}.`)));
  });
  let last = 0;
  async function send<T>(command: string, value?: unknown): Promise<T> {
    const id = ++last;
    return new Promise((resolve) => {
      const receive = (answer: { readonly id: number; readonly value: T }): void => {
        if (answer.id !== id) return;
        child.off('message', receive);
        resolve(answer.value);
      };
      child.on('message', receive);
      child.send({ id, command, value });
    });
  }
  return {
    issuer: `http://127.0.0.1:${port}`,
    register: (client) => send('register', client),
    set: (changes) => send('set', changes),
    rotateKeys: () => send('rotateKeys'),
    takeRequests: () => send('takeRequests'),
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

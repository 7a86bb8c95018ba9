/** A browser without scripts: keeps cookies by path, and follows redirects among a few servers of this machine. */
import { parseSetCookie } from 'cookie';

interface Stored {
  readonly name: string;
  readonly value: string;
  readonly port: string;
  readonly path: string;
}

export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** All addresses on the way, the last one included. */
  readonly way: readonly string[];
  readonly setCookies: readonly string[];
}

interface VisitOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Follows this many redirects, 10 by default. */
  readonly redirects?: number;
}

export class CookieClient {
  #cookies: readonly Stored[] = [];

  /** A client with the same cookies: another tab, or a thief. */
  copy(): CookieClient {
    const copied = new CookieClient();
    copied.#cookies = this.#cookies;
    return copied;
  }

  names(): readonly string[] {
    return this.#cookies.map(({ name }) => name).sort();
  }

  value(name: string): string | undefined {
    return this.#cookies.find((cookie) => cookie.name === name)?.value;
  }

  set(name: string, value: string, url: string): void {
    this.#store(name, value, new URL(url).port, '/');
  }

  async visit(address: string, options: VisitOptions = {}): Promise<Visit> {
    const { method = 'GET', headers = {}, body, redirects = 10 } = options;
    const url = new URL(address);
    const cookie = this.#header(url);
    const init = { method, redirect: 'manual', headers: { ...headers, ...(cookie && { cookie }) } } as const;
    const answer = await fetch(url, { ...init, ...(body !== undefined && { body }) });
    const text = await answer.text();
    const setCookies = answer.headers.getSetCookie();
    for (const line of setCookies) this.#take(line, url);
    const target = answer.headers.get('location');
    const visit = { url: url.href, status: answer.status, headers: answer.headers, text, way: [url.href], setCookies };
    if (target === null || answer.status < 300 || answer.status > 399 || redirects === 0) return visit;
    const next = await this.visit(new URL(target, url).href, { redirects: redirects - 1 });
    return { ...next, way: [url.href, ...next.way], setCookies: [...setCookies, ...next.setCookies] };
  }

  #take(line: string, url: URL): void {
    const { name, value = '', path = '/', maxAge, expires } = parseSetCookie(line);
    this.#cookies = this.#cookies.filter((one) => one.name !== name || one.path !== path || one.port !== url.port);
    const isOver = maxAge === 0 || (expires !== undefined && expires.getTime() < Date.now());
    if (!isOver) this.#store(name, value, url.port, path);
  }

  #store(name: string, value: string, port: string, path: string): void {
    this.#cookies = [...this.#cookies, { name, value, port, path }];
  }

  #header({ port, pathname }: URL): string {
    const isBelow = (path: string): boolean =>
      pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
    const sent = this.#cookies.filter((cookie) => cookie.port === port && isBelow(cookie.path));
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }
}

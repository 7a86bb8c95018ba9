/** Runs one read of each version of a file or folder for all requests that need it at the same time. */

export class SharedReads<Result> {
  readonly #running = new Map<string, { readonly version: string; readonly result: Promise<Result> }>();

  async run(path: string, version: string, read: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(path);
    if (running?.version === version) return running.result;
    const started = { version, result: read() };
    this.#running.set(path, started);
    try {
      return await started.result;
    } finally {
      if (this.#running.get(path) === started) this.#running.delete(path);
    }
  }
}

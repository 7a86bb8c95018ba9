/** Reads the body of an answer whose length is known. */
import { WrongAnswer } from './request-errors.ts';

/** Rejects where the body is shorter or longer, where it fails, and when the signal is aborted. */
export function readBody(
  body: NodeJS.ReadableStream & { destroy(error?: Error): void },
  length: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  return new Promise((resolve, reject) => {
    const give = (error: unknown): void => {
      signal.removeEventListener('abort', stop);
      reject(error);
    };
    const stop = (): void => {
      give(signal.reason);
      body.destroy();
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop);
    body.on('data', (chunk: Buffer) => {
      if (filled + chunk.length > length) {
        give(new WrongAnswer('the body is longer than it says'));
        body.destroy();
        return;
      }
      filled += chunk.copy(bytes, filled);
    });
    body.on('error', give);
    body.on('end', () => {
      if (filled < length) return give(new WrongAnswer('the body is shorter than it says'));
      signal.removeEventListener('abort', stop);
      resolve(bytes);
    });
    body.on('close', () => give(new WrongAnswer('the body was cut')));
  });
}

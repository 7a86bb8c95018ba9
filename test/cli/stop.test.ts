/** How `lectern` ends at SIGTERM: running answers are complete or visibly cut off, and everything else is closed at once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCommand, runCommand } from './run-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-stop-'));
const originalBytes = 40_000_000;

beforeAll(async () => {
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: 'blue' } }).jpeg();
  writeFileSync(path.join(folder, 'a.jpg'), Buffer.concat([await picture.toBuffer()], originalBytes));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Client {
  readonly socket: Socket;
  /** Resolves to what was received when the connection is closed. */
  readonly closed: Promise<Buffer>;
}

async function open(port: number, sent: string): Promise<Client> {
  const socket = connect({ host: '127.0.0.1', port });
  const chunks: Buffer[] = [];
  const closed = new Promise<Buffer>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(sent);
  return { socket, closed };
}

const original = 'GET /Scaler?fn=a.jpg&mo=rawfile HTTP/1.1\r\nHost: a\r\n\r\n';

/** Starts a download and reads nothing but its beginning. */
async function beginDownload(port: number): Promise<Client> {
  const client = await open(port, original);
  await new Promise((resolve) => client.socket.once('data', resolve));
  client.socket.pause();
  return client;
}

const bodyBytes = (received: Buffer): number => received.length - received.indexOf('\r\n\r\n') - 4;

/** Whether a promise is settled within 3 seconds. */
const soon = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, 3000, false))]);

async function start(drainMs: number): Promise<{ command: RunningCommand; port: number }> {
  const command = runCommand([folder, '--port', '0'], {
    env: { LECTERN_HTTP__DRAIN_MS: String(drainMs), LECTERN_RENDER__PROCESSES: '1' },
  });
  const port = Number(new URL(await command.started).port);
  return { command, port };
}

describe('a server that gets SIGTERM', () => {
  it('finishes running answers, and closes idle connections and half-sent requests at once', async () => {
    const { command, port } = await start(30_000);
    const running = await beginDownload(port);
    const waiting = await open(port, original + original.replace('rawfile', 'errtxt'));
    await new Promise((resolve) => waiting.socket.once('data', resolve));
    waiting.socket.pause();
    const silent = await open(port, '');
    const half = await open(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-A: ');
    const idle = await open(port, 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => idle.socket.once('data', resolve));
    command.child.kill('SIGTERM');
    for (const client of [silent, half, idle]) expect(await soon(client.closed)).toBe(true);
    const late = connect({ host: '127.0.0.1', port });
    expect(await new Promise((resolve) => late.once('error', () => resolve('refused')))).toBe('refused');
    running.socket.resume();
    waiting.socket.resume();
    expect(bodyBytes(await running.closed)).toBe(originalBytes);
    // The second request of this connection was not begun.
    expect(bodyBytes(await waiting.closed)).toBe(originalBytes);
    expect((await command.ended).code).toBe(0);
  });

  it('cuts off what is not read within the limit, and ends with status 0', async () => {
    const { command, port } = await start(500);
    const stalled = await beginDownload(port);
    const startMs = performance.now();
    command.child.kill('SIGTERM');
    expect((await command.ended).code).toBe(0);
    expect(performance.now() - startMs).toBeLessThan(10_000);
    stalled.socket.resume();
    expect(bodyBytes(await stalled.closed)).toBeLessThan(originalBytes);
  });

  it('and a second signal ends at once', async () => {
    const { command, port } = await start(60_000);
    await beginDownload(port);
    command.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(command.child.exitCode).toBeNull();
    command.child.kill('SIGINT');
    expect(await soon(command.ended)).toBe(true);
    expect((await command.ended).code).toBe(0);
  });
});

/** Starts Debian's swift with its S3 API for tests, and fills buckets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { python } from '../../scripts/test-needs.mjs';

/** The key that the store accepts. */
export const storeKey = { accessKeyId: 'test:tester', secretAccessKey: 'testing' } as const;

const program = fileURLToPath(new URL('swift-server.py', import.meta.url));

/** Starting takes some seconds of processor time. */
const startWithinMs = 60_000;

export interface ObjectStore {
  readonly port: number;
  readonly endpoint: string;
  createBucket(bucket: string): Promise<void>;
  put(bucket: string, key: string, bytes: Buffer | string): Promise<void>;
  remove(bucket: string, key: string): Promise<void>;
  get(bucket: string, key: string): Promise<Buffer>;
  /** The keys below a prefix, up to 1000. */
  keys(bucket: string, prefix: string): Promise<readonly string[]>;
  /** Puts all files of a folder below a prefix, which ends with a slash or is empty. */
  putFolder(bucket: string, prefix: string, folder: string): Promise<void>;
  close(): Promise<void>;
}

function portOf(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let [output, errors] = ['', ''];
    const timer = setTimeout(() => reject(new Error(`${name} did not start: ${errors}`)), startWithinMs);
    child.stderr?.on('data', (chunk) => {
      errors += String(chunk);
    });
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
      if (!output.includes('\n')) return;
      clearTimeout(timer);
      resolve(Number(output));
    });
    child.on('exit', () => reject(new Error(`${name} ended: ${errors}`)));
  });
}

// Extended attributes are needed, which not every file system for temporary files has.
export const startSwift = (): Promise<ObjectStore> => startStore('swift', (folder) => [python, program, folder]);

/** Starts a store by a command that has a folder for itself, writes its port when it answers, and ends with its standard input. */
export async function startStore(
  name: string,
  commandIn: (folder: string) => readonly [program: string, ...args: string[]],
): Promise<ObjectStore> {
  const folder = mkdtempSync(path.join(tmpdir(), `lectern-${name}-`));
  const [command, ...args] = commandIn(folder);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const port = await portOf(child, name);
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: storeKey });
  const put = async (bucket: string, key: string, bytes: Buffer | string): Promise<void> => {
    await client.send(
      new PutObjectCommand({ Bucket: bucket, Key: key, Body: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes) }),
    );
  };
  return {
    port,
    endpoint,
    async createBucket(bucket) {
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
    },
    put,
    async remove(bucket, key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    async get(bucket, key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    async keys(bucket, prefix) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      return Contents.map(({ Key = '' }) => Key);
    },
    async putFolder(bucket, prefix, from) {
      for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const file = path.join(entry.parentPath, entry.name);
        await put(bucket, prefix + path.relative(from, file).split(path.sep).join('/'), readFileSync(file));
      }
    },
    async close() {
      client.destroy();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

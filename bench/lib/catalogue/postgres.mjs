/** Starts a PostgreSQL with its files in a folder of the benchmark; needs Debian’s postgresql. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from '../../../scripts/test-needs.mjs';
import { BenchFailure } from '../failure.mjs';
import { freePort, startProgram } from '../processes.mjs';

/** What Debian’s defaults lack for some ten gigabytes; one core is left to others. */
export const settings = {
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '1',
};

/** PostgreSQL does not run as root. */
function ownerOf(user) {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function query(address, text) {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 1000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** With the data of an earlier run where the folder has some. */
export async function startPostgres(folder) {
  const programs = findPostgres();
  if (programs === undefined) throw new BenchFailure('There is no PostgreSQL; install Debian’s postgresql.');
  mkdirSync(folder, { recursive: true });
  const owner = ownerOf('postgres');
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = path.join(folder, 'data');
  const run = { cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' }, stdio: 'ignore', ...owner };
  const init = ['-D', data, '-U', 'lectern', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  if (!existsSync(data)) execFileSync(path.join(programs, 'initdb'), init, run);
  const port = await freePort();
  const given = Object.entries({ ...settings, listen_addresses: '127.0.0.1', unix_socket_directories: folder });
  const args = ['-D', data, '-p', String(port), ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const child = startProgram(path.join(programs, 'postgres'), args, { cwd: folder, owner });
  const address = `postgres://lectern@127.0.0.1:${port}/postgres`;
  for (let attempt = 0; ; attempt++) {
    const answer = await query(address, 'select 1').catch(() => undefined);
    if (answer !== undefined) break;
    if (attempt === 600) throw new BenchFailure('PostgreSQL did not answer within a minute.');
    await pause(100);
  }
  return {
    address,
    pid: child.pid,
    query: (text) => query(address, text),
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** Describes the hardware and the programs of a run, without anything that identifies the machine. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { BenchFailure } from './failure.mjs';
import { threadPoolSize } from './processes.mjs';

/** The folders of Debian's packages, which may not be on the PATH. */
const debianFolders = ['/usr/sbin', '/usr/bin', '/usr/lib/iipimage-server'];

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program; undefined if it is not installed. */
export const findProgram = (name) =>
  [...(process.env.PATH ?? '').split(path.delimiter), ...debianFolders]
    .map((folder) => path.join(folder, name))
    .find(isProgram);

/** The variable with the path of a program of iipsrv that is newer than Debian’s. */
export const newerIipsrvVariable = 'LECTERN_BENCH_IIPSRV';

/** The paths of the installed peers and tools. iipsrv needs nginx in front of it. */
export function findPrograms() {
  const [nginx, iipsrv, wrk] = ['nginx', 'iipsrv.fcgi', 'wrk'].map(findProgram);
  const newer = process.env[newerIipsrvVariable];
  if (newer && !isProgram(newer)) throw new BenchFailure(`${newerIipsrvVariable} names ${newer}, which is no program.`);
  return { nginx, iipsrv: nginx && iipsrv, newerIipsrv: nginx && newer, wrk };
}

/** The version that a program prints on either stream; many exit with an error code. */
async function versionOf(program, args, pattern) {
  if (program === undefined) return 'not installed';
  const { stdout = '', stderr = '' } = await promisify(execFile)(program, args).catch((error) => error);
  return pattern.exec(`${stdout}${stderr}`)?.[1] ?? 'of an unknown version';
}

/** The versions of the peers; those of iipsrv are given, since they are only in a header of its responses. */
export async function describePeers({ nginx, wrk }, iipsrvVersions) {
  return [
    `nginx ${await versionOf(nginx, ['-v'], /nginx\/(\S+)/)}`,
    ...(iipsrvVersions.length === 0 ? ['iipsrv not installed'] : iipsrvVersions.map((version) => `iipsrv ${version}`)),
    `wrk ${await versionOf(wrk, ['-v'], /wrk (?:debian\/)?(\S+)/)}`,
  ].join(', ');
}

export const loadAverage = () => loadavg()[0].toFixed(1);

/** Lines for the head of the report. */
export function describeMachine() {
  const model = cpus()[0]?.model.trim() || 'unknown processor';
  return [
    `${model}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.versions.node}, sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}, ${threadPoolSize} libuv threads`,
  ];
}

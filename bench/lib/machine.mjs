/** What the figures were measured on and beside; nothing that names the machine. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { threadPoolSize } from './processes.mjs';

/** Where Debian's packages put the programs, if these are on no path. */
const places = ['/usr/sbin', '/usr/bin', '/usr/lib/iipimage-server'];

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program; undefined where it is not installed. */
const findProgram = (name) =>
  [...(process.env.PATH ?? '').split(path.delimiter), ...places]
    .map((folder) => path.join(folder, name))
    .find(isProgram);

/** The peers and tools that are installed. iipsrv is reached through nginx, so it takes both. */
export function findPrograms() {
  const [nginx, iipsrv, wrk] = ['nginx', 'iipsrv.fcgi', 'wrk'].map(findProgram);
  return { nginx, iipsrv: nginx && iipsrv, wrk };
}

/** What a program says of its version on either stream; many end with an error when asked. */
async function versionOf(program, args, pattern) {
  if (program === undefined) return 'not installed';
  const { stdout = '', stderr = '' } = await promisify(execFile)(program, args).catch((error) => error);
  return pattern.exec(`${stdout}${stderr}`)?.[1] ?? 'of an unknown version';
}

/** iipsrv says its version only in its answers. */
export async function describePeers({ nginx, wrk }, iipsrvVersion) {
  return [
    `nginx ${await versionOf(nginx, ['-v'], /nginx\/(\S+)/)}`,
    `iipsrv ${iipsrvVersion ?? 'not installed'}`,
    `wrk ${await versionOf(wrk, ['-v'], /wrk (?:debian\/)?(\S+)/)}`,
  ].join(', ');
}

export const loadAverage = () => loadavg()[0].toFixed(1);

/** Lines for the report's head. */
export function describeMachine() {
  const model = cpus()[0]?.model.trim() || 'unknown processor';
  return [
    `${model}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.versions.node}, sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}, ${threadPoolSize} libuv threads`,
  ];
}

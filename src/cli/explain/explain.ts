/** Runs `lectern explain`: plans the picture of an address, and prints why it is planned so. */
import { pino } from 'pino';
import { type App, createApp } from '../../app/app.ts';
import { admitFirst } from '../../core/access/admit.ts';
import { anyone } from '../../core/access/policy.ts';
import { statusOf } from '../../core/http/error-responses.ts';
import { splitTarget } from '../../core/http/target.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { ExplanationLine } from '../../core/image/plan/explanation.ts';
import { configurationOf } from '../common/command-configuration.ts';
import type { Flags } from '../common/settings-flags.ts';
import { printable } from '../common/text.ts';

/** Lines with their names in one column; a name is written once for the lines that share it. */
function formatLines(lines: readonly ExplanationLine[]): string {
  const width = Math.max(...lines.map(({ name }) => name.length));
  return lines
    .map(({ name, text }, index) => {
      const label = lines[index - 1]?.name === name ? '' : name;
      return `${label.padEnd(width)}  ${printable(text)}`;
    })
    .join('\n');
}

/** The address without its fragment, which browsers do not send, and with the slash that a path begins with. */
function targetIn(address: string): string {
  const [sent = ''] = address.split('#');
  return /^(?:\/|https?:\/\/)/i.test(sent) ? sent : `/${sent}`;
}

async function explainIn(
  { addresses, admission, images }: App,
  address: string,
): Promise<readonly ExplanationLine[] | undefined> {
  const target = splitTarget(targetIn(address));
  const mount = addresses.mountOf(target.path);
  const query = mount && addresses.parse(target, mount);
  if (query?.kind === 'invalid') throw query.error;
  if (query?.kind !== 'picture') return undefined;
  const image = await admitFirst(query, admission, anyone);
  const { lines, plan } = await images.explain(query.request, image);
  const after = lines.findIndex(({ name }) => name === 'file') + 1;
  return [...lines.slice(0, after), { name: 'path', text: plan.file.path }, ...lines.slice(after)];
}

/**
 * Runs the command and gives its exit code: 0 where the picture is explained, 1 where the server would answer an error,
 * 2 where the address is no picture's.
 */
export async function explainAddress(address: string, folders: readonly string[], flags: Flags): Promise<number> {
  const { settings } = await configurationOf(folders, flags);
  const app = await createApp({ ...settings, render: { ...settings.render, processes: 0 } }, pino({ level: 'silent' }));
  try {
    const lines = await explainIn(app, address);
    if (lines === undefined) {
      const { contextPath } = settings.http;
      console.error(
        `lectern: ${printable(address)} is no address of a picture; it has the form ${contextPath}/Scaler?fn=… or ${contextPath}/iiif/3/{identifier}/{region}/{size}/{rotation}/{quality}.{format}`,
      );
      return 2;
    }
    console.log(formatLines(lines));
    return 0;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    console.error(`lectern: the server would answer ${statusOf(error)}: ${printable(error.message)}`);
    return 1;
  } finally {
    await app.server.close();
  }
}

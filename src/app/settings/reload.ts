/** Which settings a running server can take on, and which hold from its next start. */
import { isDeepStrictEqual } from 'node:util';
import { groupMembersOf } from '../../config/sources/schema-shape.ts';
import { mergeTrees, type Tree, treeAt, valueAt } from '../../config/sources/tree.ts';
import { type Settings, settingsSchema } from './settings.ts';

/** Groups and settings that a running server takes on. All others are of parts that hold files, processes or the port. */
export const reloadable: readonly string[] = [
  'http.trustedProxies',
  'http.metricsFrom',
  'http.publicAddress',
  'http.contextPath',
  'http.webapp',
  'http.cacheControl',
  'http.cdnCacheControl',
  'http.surrogateKeys',
  'http.serverTiming',
  'http.explain',
  'robots',
  'iiif',
  'digilib',
  'readingRoom',
  'access',
  'pdf.maxPages',
  'pdf.logo',
  'pdf.headerTitle',
  'pdf.headerSubtitle',
  'pdf.fonts',
  'dataSets.enabled',
  'dataSets.pictureSize',
  'limits.maxArea',
  'limits.maxWidth',
  'limits.maxHeight',
  'limits.maxUpscale',
  'limits.deadlineMs',
  'logLevel',
];

const isReloadable = (name: string): boolean =>
  reloadable.some((taken) => name === taken || name.startsWith(`${taken}.`));

/** The names of all settings that have a value of their own, such as `http.port`. */
function settingNames(schema: Parameters<typeof groupMembersOf>[0], outer = ''): readonly string[] {
  return Object.entries(groupMembersOf(schema) ?? {}).flatMap(([name, member]) => {
    const full = outer === '' ? name : `${outer}.${name}`;
    return groupMembersOf(member) === undefined ? [full] : settingNames(member, full);
  });
}

export interface Reload {
  /** The wanted settings, with the running values of those that hold from the next start. */
  readonly settings: Settings;
  /** The names of the settings that were changed and hold from the next start. */
  readonly needsStart: readonly string[];
}

/** What a server with the running settings takes on of the wanted ones. */
export function planReload(running: Settings, wanted: Settings): Reload {
  const fixed = settingNames(settingsSchema).filter((name) => !isReloadable(name));
  const runningValueOf = (name: string): Tree => treeAt(name.split('.'), valueAt(running, name.split('.')));
  const needsStart = fixed.filter((name) => {
    const path = name.split('.');
    return !isDeepStrictEqual(valueAt(running, path), valueAt(wanted, path));
  });
  const settings = needsStart.map(runningValueOf).reduce<Tree>(mergeTrees, wanted) as Settings;
  return { settings, needsStart };
}

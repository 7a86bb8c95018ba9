// The words by which docs/compatibility.md tells what becomes of a part of digilib.
import { z } from 'zod';
import { settingsSchema } from '../../dist/app/settings/settings.js';

export const works = 'works';
export const differs = (why) => `differs on purpose: ${why}`;
export const notUsed = (why) => `not used: ${why}`;

const schema = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' });

/** A setting's name as code; throws if there is no such setting. */
export function setting(name) {
  const found = name.split('.').reduce((inner, member) => inner?.properties?.[member], schema);
  if (found === undefined) throw new Error(`docs/compatibility.md names an unknown setting: ${name}`);
  return `\`${name}\``;
}

/** The running settings as the configuration page shows them; secrets and keys are left out. */
import type { z } from 'zod';
import { groupMembersOf } from '../../config/sources/schema-shape.ts';
import type { SettingRow } from '../../core/feature.ts';
import { type Settings, settingsSchema } from './settings.ts';

/** Of members that hold keys, only the number is shown; hashes of passwords are not. */
function withoutKeys(name: string, value: unknown): unknown {
  if (name === 'password') return 'left out';
  return name === 'keys' && Array.isArray(value) ? `${value.length} left out` : value;
}

const format = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, withoutKeys, 1));

function rowsOf(schema: z.ZodType, name: string, value: unknown): readonly SettingRow[] {
  const members = groupMembersOf(schema);
  if (members !== undefined) {
    return Object.entries(members).flatMap(([member, inner]) =>
      rowsOf(inner, name === '' ? member : `${name}.${member}`, (value as Readonly<Record<string, unknown>>)[member]),
    );
  }
  const formatted = format(value);
  const unset = schema.safeParse(undefined);
  const isDefault = unset.success && format(unset.data) === formatted;
  return [{ name, value: formatted, isDefault, meaning: schema.description ?? '' }];
}

/** Every setting with its value, in the order of the schema. */
export const settingRows = (settings: Settings): readonly SettingRow[] => rowsOf(settingsSchema, '', settings);

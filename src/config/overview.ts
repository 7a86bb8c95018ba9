/** The running settings as a person reads them; secrets and keys are left out. */
import { type Settings, settingsSchema } from './settings.ts';

export interface SettingRow {
  readonly name: string;
  /** As JSON; empty where nothing is set. */
  readonly value: string;
  /** Whether it is what it would be if nobody had set it. */
  readonly isDefault: boolean;
  readonly meaning: string;
}

/** Members that hold keys: how many there are is told, what they are is not. */
const withoutKeys = (name: string, value: unknown): unknown =>
  name === 'keys' && Array.isArray(value) ? `${value.length} left out` : value;

const printed = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, withoutKeys, 1));

/** Every setting with its value. */
export function settingRows(settings: Settings): readonly SettingRow[] {
  return Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const value = printed(settings[name as keyof Settings]);
    const unset = schema.safeParse(undefined);
    return {
      name,
      value,
      isDefault: unset.success && printed(unset.data) === value,
      meaning: schema.description ?? '',
    };
  });
}

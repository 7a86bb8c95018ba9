/** Folds names as file systems do that ignore case or Unicode form, so that no spelling of a path evades a rule. */

const isPlain = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);

/** Invisible characters, such as the zero-width joiner: HFS+ ignores them in names. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The same text for all spellings of a name that differ in case, Unicode normalization form or invisible characters. Lower
 * case comes first because of ẞ: its upper case is itself, but that of its lower case ß is SS.
 */
export function foldName(name: string): string {
  if (isPlain(name)) return name.toLowerCase();
  const composed = name.replace(ignorable, '').normalize('NFC');
  return composed.toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

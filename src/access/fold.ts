/** Folds names as disks do that take different spellings for the same file, so that no spelling gets around a rule. */

const isPlain = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);

/** Signs that are not seen, such as a zero-width joiner: HFS+ compares names without them. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The same text for all spellings of a name that differ in case, in the normal form of Unicode, or in signs that are not
 * seen. Lower case comes first because of ẞ, which has no other upper case: only its lower case ß becomes SS.
 */
export function foldName(name: string): string {
  if (isPlain(name)) return name.toLowerCase();
  const composed = name.replace(unseen, '').normalize('NFC');
  return composed.toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** Texts of parts that are loaded on demand, which add them when they are. */

/** A text in each language. */
export type Message = Readonly<Record<'en' | 'de' | 'fr', string>>;

/** By their keys. */
export const added: Record<string, Message> = {};

export function addMessages(more: Readonly<Record<string, Message>>): void {
  Object.assign(added, more);
}

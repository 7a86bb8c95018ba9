/** The color of a note, for the styles of its lines and its number. */

/** The custom property that the styles of notes use; nothing for a note without a color. */
export const noteStyle = (color: string | undefined): Readonly<Record<string, string>> =>
  color === undefined ? {} : { '--note-color': color };

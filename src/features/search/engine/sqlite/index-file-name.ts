/** The name of the file with the index of texts. */

export const indexFileName = 'lectern-search.sqlite';

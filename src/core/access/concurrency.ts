/** How much one request does at the same time. */

/** Options for p-map: the disk is shared with requests for tiles. */
export const bounded = { concurrency: 32 } as const;

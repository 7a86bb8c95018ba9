/** How much of the renderer a client gets beside others. */

/** Whether a request, or its task, is of those who get what others leave: those of less weight than a client that is in no group. */
export const isOfCrowd = ({ weight = 1 }: { readonly weight?: number | undefined }): boolean => weight < 1;

/** The memory that the process may use: the machine's, or that of its container where this is less. */
import { totalmem } from 'node:os';

/** In bytes. */
export const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());

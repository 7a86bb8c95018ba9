/** Settings that name a file or a folder; relative paths are resolved before the schema sees them. */
import { z } from 'zod';

export const path = z.string().min(1, 'must be a path');

/** A directory for files that the server writes; false where it is to write none. */
export const optionalDirectory = z.union([path, z.literal(false)], { error: 'must be a path, or false' }).optional();

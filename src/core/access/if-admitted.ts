/** Results of admission where nothing, or something that the caller may not see, is an answer, too. */
import { ImageError } from '../image/model/errors.ts';

async function undefinedIf<T>(isExpected: (error: unknown) => boolean, result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** The result, or undefined where nothing has the name. */
export const ifFound = <T>(result: Promise<T>): Promise<T | undefined> =>
  undefinedIf((error) => error instanceof ImageError && error.code === 'not-found', result);

/** Whether an error means that nothing is shown: nothing readable has the name, or the caller may not see it. */
export const isHidden = (error: unknown): boolean =>
  error instanceof ImageError && ['not-found', 'denied', 'login-needed'].includes(error.code);

/** The result, or undefined where nothing readable has the name or the caller may not see it. */
export const ifAdmitted = <T>(result: Promise<T>): Promise<T | undefined> => undefinedIf(isHidden, result);

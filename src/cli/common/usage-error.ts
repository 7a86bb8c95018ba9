/** Wrong use of a command, which is reported with one line for each problem and exit code 2. */
import { SettingsError } from '../../config/settings-error.ts';

/** What is wrong with how a command was called, or with where it runs; one line for each problem. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Runs a command and returns its exit code: 2, with the problems on standard error, for wrong use or wrong settings. */
export async function withUsageErrors(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof SettingsError)) throw error;
    for (const line of error.message.split('\n')) console.error(`lectern: ${line}`);
    return 2;
  }
}

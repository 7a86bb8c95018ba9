/** Wrong settings, for the person who starts the server. */

/** One line for each problem. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

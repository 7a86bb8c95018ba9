/** The commands of access: who may see what and by which rule, and hashes of passwords and keys for the settings. */
import { type Command, Option } from 'commander';
import type { ExplainAccessFlags } from './access/explain-access.ts';
import { type Flags, withSettings } from './common/settings-flags.ts';

const explainHelp = `
Whoever is asked about is named by --as, more than once for several at the same time:

  --as 10.0.0.7                                an address
  --as '{"groups":["staff"],"email":"a@b.c"}'  what the provider of the sign-in says of a person, as its claims
  --as user:anna                               a user with a password
  --as role:curators                           a role, as a proxy or a token gives it

  lectern access explain books/rare --as '{"groups":["staff"]}' --config lectern.json

Exit code: 0 where that caller may see it, 1 where it may not or there is nothing, 2 for wrong use.`;

export function addAccessCommand(lectern: Command): void {
  const access = lectern.command('access').description('Says who may see what.');
  const explain = access.command('explain').argument('<path>', 'a folder or an image of the library');
  withSettings(explain)
    .description('Says which roles somebody has, which ones a path needs, and whether that is enough.')
    .addOption(
      new Option('--as <who>', 'an address, claims as JSON, user:NAME or role:NAME; may be repeated').argParser(
        (one: string, before: readonly string[] | undefined) => [...(before ?? []), one],
      ),
    )
    .addHelpText('after', explainHelp)
    .action(async (path: string, folders: string[], _own: Flags, self: Command) => {
      const { explainAccess } = await import('./access/explain-access.ts');
      process.exitCode = await explainAccess(path, folders, self.optsWithGlobals<ExplainAccessFlags>());
    });
}

const passwordHelp = `
The password is read from the terminal, which does not show it, or from the standard input, up to the end of its first line.

  lectern password                         prints the hash for signIn.users
  lectern password --session-key >> keys   adds a key to the file that signIn.keysFile names

To serve a folder named password, write ./password.`;

export function addPasswordCommand(lectern: Command): void {
  lectern
    .command('password')
    .description('Prints the hash of a password, or a new key of sessions, for the settings of the sign-in.')
    .option('--session-key', 'prints a new random key of sessions in place of a hash')
    .addHelpText('after', passwordHelp)
    .action(async ({ sessionKey }: { readonly sessionKey?: boolean }) => {
      const { printPassword, printSessionKey } = await import('./access/password.ts');
      process.exitCode = sessionKey ? printSessionKey() : await printPassword();
    });
}

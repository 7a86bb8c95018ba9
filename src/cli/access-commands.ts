/** The commands of access: who may see what and by which rule, and hashes of passwords and keys for the settings. */
import { type Command, Option } from 'commander';
import type { ExplainAccessFlags } from './access/explain-access.ts';
import type { SignFlags } from './access/sign.ts';
import { type Flags, withSettings } from './common/settings-flags.ts';

const explainHelp = `
Whoever is asked about is named by --as, more than once for several at the same time:

  --as 10.0.0.7                                an address
  --as '{"groups":["staff"],"email":"a@b.c"}'  what the provider of the sign-in says of a person, as its claims
  --as user:anna                               a user with a password
  --as role:curators                           a role, as a proxy or a token gives it
  --link 'https://…/view/a.jpg?link=eyJ…'      whoever has this signed link

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
    .option('--link <address>', 'an address with a signed link, or the link alone')
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

const signHelp = `
What the link opens is a folder or an image of the library, or an address of this server as a browser shows it: a view of the
reading room opens its image there, and the address of a picture opens this picture alone.

  lectern sign --new-key print >> link-keys                        adds a key to the file of signedLinks.keysFile
  lectern sign books/rare --until 2027-01-31 --for "A. Reviewer"   a folder with all below it
  lectern sign books/rare/p1.jpg --until 14d --tier small          an image, smaller
  lectern sign books/rare/p1.jpg --until 14d --original --once     the file of an image, once
  lectern sign '/iiif/3/books!p1.jpg/0,0,900,900/max/0/default.jpg' --until 1d

To end a link before its time, write “revoked” and its id into the file of keys; to end all of a key, delete the key.

Exit code: 0, 1 where there is nothing of this name, 2 for wrong use.`;

export function addSignCommand(lectern: Command): void {
  const sign = lectern.command('sign').argument('[subject]', 'a folder or an image of the library, or an address');
  withSettings(sign)
    .description('Makes a link that opens an image or a folder until a date, for whoever has it.')
    .option('--until <date>', 'a date (through this day, by UTC), a time, or how long: 2027-01-31, 12h, 14d')
    .option('--tier <name>', 'gives no more than this tier of access.tiers')
    .option('--for <name>', 'for whom it is; the link and the audit contain it')
    .option('--original', 'opens the original file of an image, and nothing else')
    .option('--once', 'can be used once: a picture or an original')
    .option('--key <name>', 'the key of the file that signs (default: the first one)')
    .option('--new-key <name>', 'prints a new key in place of a link')
    .addHelpText('after', signHelp)
    .action(async (subject: string | undefined, folders: string[], _own: Flags, self: Command) => {
      const { sign: run } = await import('./access/sign.ts');
      process.exitCode = await run(subject, folders, self.optsWithGlobals<SignFlags>());
    });
}

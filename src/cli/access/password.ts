/** Runs `lectern password`: hashes a password, or makes a key of sessions. */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { hashPassword } from '../../features/sign-in/passwords.ts';

const minLength = 8;

/** A line of the standard input; a terminal shows nothing of it. Undefined where the input ends before. */
function readLine(question: string): Promise<string | undefined> {
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true });
  if (stdin.isTTY) stderr.write(question);
  return new Promise((resolve) => {
    let line: string | undefined;
    lines.once('line', (text) => {
      line = text;
      lines.close();
    });
    lines.once('close', () => {
      if (stdin.isTTY) stderr.write('\n');
      resolve(line);
    });
  });
}

/** Gives the exit code: 0, or 2 for a password that is too short or was typed differently. */
export async function printPassword(): Promise<number> {
  const password = await readLine('Password: ');
  if (password === undefined || password.length < minLength) {
    console.error(`lectern: a password has at least ${minLength} characters`);
    return 2;
  }
  if (process.stdin.isTTY && (await readLine('Again: ')) !== password) {
    console.error('lectern: both passwords must be equal');
    return 2;
  }
  console.log(await hashPassword(password));
  return 0;
}

export function printSessionKey(): number {
  console.log(randomBytes(32).toString('base64url'));
  return 0;
}

import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, type Command } from 'commander';
import { answer } from './admin-answer.ts';
import { rotateSecrets } from './rotate-secrets.ts';

/** The keys of KEYRING, with which the publisher encrypts the tokens of accounts. */
export function encryptionCommands(keys: Command): void {
  keys
    .command('generate')
    .description(
      'make a key for KEYRING: add it at the end of every KEYRING, then move it to the front, then rotate, then drop the old one',
    )
    .option(
      '--id <id>',
      'its name, which stands beside all that it encrypts',
      keyId,
      `k${new Date().toISOString().slice(0, 10)}-${randomBytes(2).toString('hex')}`,
    )
    .action(({ id }: { id: string }) =>
      console.log(JSON.stringify({ id, keyring_entry: `${id}:${randomBytes(32).toString('base64')}` }, null, 2)),
    );
  keys
    .command('status')
    .description('how much each key of KEYRING encrypts in the publisher')
    .action(answer(async (operator) => (await operator.publisher.countSecrets({}, operator.as())).keys));
  keys
    .command('rotate')
    .description("encrypt all stored tokens under the first key of the publisher's KEYRING, while serving; may be broken off and run again")
    .action(answer((operator) => rotateSecrets(operator, (line) => console.error(line))));
}

function keyId(value: string): string {
  if (!/^[\w-]{1,40}$/.test(value)) throw new InvalidArgumentError('It has up to 40 letters, digits, _ and -.');
  return value;
}

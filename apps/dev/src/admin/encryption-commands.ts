import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, type Command } from 'commander';
import { asOperator } from './operator/as-operator.ts';
import { countSecrets, rotateSecrets } from './operator/rotate-secrets.ts';

/** The keys of KEYRING, which encrypt the tokens of accounts in the publisher and the secrets of webhook endpoints. */
export function encryptionCommands(keys: Command): void {
  keys
    .command('generate')
    .description('generate a key for KEYRING: append it to every KEYRING, then move it to the front, then rotate, then remove the old key')
    .option(
      '--id <id>',
      'id of the key, stored with everything that it encrypts',
      keyId,
      `k${new Date().toISOString().slice(0, 10)}-${randomBytes(2).toString('hex')}`,
    )
    .action(({ id }: { id: string }) =>
      console.log(JSON.stringify({ id, keyring_entry: `${id}:${randomBytes(32).toString('base64')}` }, null, 2)),
    );
  keys.command('status').description('count what each key of KEYRING encrypts, by service').action(asOperator(countSecrets));
  keys
    .command('rotate')
    .description(
      'encrypt all stored tokens and secrets of webhook endpoints with the first key of KEYRING, without downtime; can be interrupted and run again',
    )
    .action(asOperator((operator) => rotateSecrets(operator, (line) => console.error(line))));
}

function keyId(value: string): string {
  if (!/^[\w-]{1,40}$/.test(value)) throw new InvalidArgumentError('It must have 1 to 40 letters, digits, underscores or dashes.');
  return value;
}

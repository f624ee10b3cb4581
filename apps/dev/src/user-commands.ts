import { randomBytes } from 'node:crypto';
import { Option, type Command } from 'commander';
import { allPages, answer } from './admin-answer.ts';

/** People, and whether they may sign in. */
export function userCommands(admin: Command): void {
  const users = admin.command('users').description('people who may sign in');
  users
    .command('create')
    .description('create a user')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--name <name>', 'display name')
    .addOption(new Option('--role <role>', 'what the user may do').choices(['owner', 'admin', 'editor', 'viewer']).default('owner'))
    .option('--password <text>', 'at least 10 characters; left out, one is made and shown this once')
    .option('--no-password', 'the user chooses one by "Forgot password"')
    .action(
      answer(async (operator, { organization: organizationId, password = true, ...who }: { organization: string } & UserFields) => {
        const chosen = password === true ? randomBytes(12).toString('base64url') : password || undefined;
        const { user } = await operator.gateway.createUser({ organizationId, ...who, password: chosen }, operator.as());
        return { ...user, ...(password === true && { password: chosen }) };
      }),
    );
  users
    .command('list')
    .description('list users with what they belong to, newest first')
    .option('--organization <id>', 'only members of this organization')
    .option('--email <address>', 'only the user of this address')
    .action(
      answer((operator, { organization: organizationId, email }: { organization?: string; email?: string }) =>
        allPages(async (page) => {
          const { users: rows, nextPageToken } = await operator.gateway.listUsers({ organizationId, email, ...page }, operator.as());
          return { rows, nextPageToken };
        }),
      ),
    );
  users
    .command('disable')
    .description('end the sessions of a user, within 5 s, let them sign in no more, and revoke the API keys that they made')
    .requiredOption('--user <id>', 'the user')
    .requiredOption('--reason <text>', 'why, for other operators')
    .option('--keep-keys', 'their keys work on, and invitations that they sent stay open')
    .action(
      answer(async (operator, { user: userId, reason, keepKeys = false }: { user: string; reason: string; keepKeys?: boolean }) => {
        const { user, revokedKeyIds } = await operator.gateway.disableUser({ userId, reason, keepKeys }, operator.as());
        return { ...user, revokedKeyIds };
      }),
    );
  users
    .command('enable')
    .description('let a disabled user sign in again')
    .requiredOption('--user <id>', 'the user')
    .action(
      answer(async (operator, { user: userId }: { user: string }) => (await operator.gateway.enableUser({ userId }, operator.as())).user),
    );
}

interface UserFields {
  email: string;
  name: string;
  role: string;
  /** False: none. True: make one. */
  password?: string | boolean;
}

import { randomBytes } from 'node:crypto';
import { Option, type Command } from 'commander';
import { allPages, asOperator } from './operator/as-operator.ts';

/** Users, and whether they may sign in. */
export function userCommands(admin: Command): void {
  const users = admin.command('users').description('people who sign in');
  users
    .command('create')
    .description('create a user')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--email <address>', 'email address')
    .requiredOption('--name <name>', 'display name')
    .addOption(new Option('--role <role>', 'role in the organization').choices(['owner', 'admin', 'editor', 'viewer']).default('owner'))
    .option('--password <text>', 'at least 10 characters (default: a random one, shown only once)')
    .option('--no-password', 'the user sets one with "Forgot password"')
    .action(
      asOperator(async (operator, { organization: organizationId, password = true, ...who }: { organization: string } & UserFields) => {
        const chosen = password === true ? randomBytes(12).toString('base64url') : password || undefined;
        const { user } = await operator.gateway.createUser({ organizationId, ...who, password: chosen }, operator.as());
        return { ...user, ...(password === true && { password: chosen }) };
      }),
    );
  users
    .command('list')
    .description('list users and their memberships, newest first')
    .option('--organization <id>', 'only members of this organization')
    .option('--email <address>', 'only the user with this address')
    .action(
      asOperator((operator, { organization: organizationId, email }: { organization?: string; email?: string }) =>
        allPages(async (page) => {
          const { users: rows, nextPageToken } = await operator.gateway.listUsers({ organizationId, email, ...page }, operator.as());
          return { rows, nextPageToken };
        }),
      ),
    );
  users
    .command('disable')
    .description('disable a user: end all sessions within 5 s, prevent sign-in, and revoke the API keys that the user created')
    .requiredOption('--user <id>', 'the user')
    .requiredOption('--reason <text>', 'reason, shown to operators')
    .option('--keep-keys', 'keep the API keys and invitations that the user created')
    .action(
      asOperator(async (operator, { user: userId, reason, keepKeys = false }: { user: string; reason: string; keepKeys?: boolean }) => {
        const { user, revokedKeyIds } = await operator.gateway.disableUser({ userId, reason, keepKeys }, operator.as());
        return { ...user, revokedKeyIds };
      }),
    );
  users
    .command('enable')
    .description('enable a disabled user')
    .requiredOption('--user <id>', 'the user')
    .action(
      asOperator(
        async (operator, { user: userId }: { user: string }) => (await operator.gateway.enableUser({ userId }, operator.as())).user,
      ),
    );
}

interface UserFields {
  email: string;
  name: string;
  role: string;
  /** False: no password. True: a random one. */
  password?: string | boolean;
}

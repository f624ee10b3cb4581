import type { Plan } from '@fanfare/contracts/gateway';
import { newId } from '@fanfare/runtime';
import { Command, InvalidArgumentError } from 'commander';
import { allPages, asOperator } from './operator/as-operator.ts';
import { count, largeCount } from './values/counts.ts';
import { deadLetterCommands } from './dead-letter-commands.ts';
import { deletionCommands } from './deletion-commands.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { demoCommand } from './demo-command.ts';
import { eventCommands } from './event-commands.ts';
import { encryptionCommands } from './encryption-commands.ts';
import { feedbackCommands } from './feedback-commands.ts';
import { ledgerCommands } from './ledger-commands.ts';
import { organizationCommands } from './organization-commands.ts';
import { pauseCommands } from './pause-commands.ts';
import { restoreCommands } from './restore-commands.ts';
import { userCommands } from './user-commands.ts';

const explanation = `Commands for operators. Results are JSON on standard output; an error is one line of JSON on standard error.
Exit codes: 0 if it succeeded, 1 if it failed, 2 if the arguments are invalid.
Calls the services that npm start runs in this folder, or those at GATEWAY_ADMIN_ADDRESS, CONTENT_ADDRESS, PUBLISHER_ADDRESS and
WEBHOOKS_ADDRESS (host:port).`;

/** `npm run --silent admin -- <resource> <verb> --flag value`. */
export function adminCommand(): Command {
  const admin = new Command('npm run --silent admin --')
    .description(explanation)
    // `runAdmin` reports errors instead of commander.
    .configureOutput({ writeErr: () => {} })
    .exitOverride();

  const plans = admin.command('plans').description('limits of organizations');
  plans
    .command('put')
    .description('create a plan, or replace it')
    .requiredOption('--id <id>', 'short name, such as development')
    .requiredOption('--requests-per-minute <count>', 'per key', count)
    .requiredOption('--requests-per-day <count>', 'per key', count)
    .requiredOption('--requests-per-week <count>', 'per key', count)
    .option(
      '--organization-requests-per-minute <count>',
      'for all keys of an organization together; default of this and the next two: five times the limit of a key',
      count,
    )
    .option('--organization-requests-per-day <count>', 'for all keys of an organization together', count)
    .option('--organization-requests-per-week <count>', 'for all keys of an organization together', count)
    .option('--user-requests-per-minute <count>', 'per signed-in user; default of this and the next two: as in the default plan', count)
    .option('--user-requests-per-day <count>', 'per signed-in user', count)
    .option('--user-requests-per-week <count>', 'per signed-in user', count)
    .requiredOption('--generated-posts-per-month <count>', 'per organization', count)
    .option(
      '--credits-per-month <count>',
      'for generated posts, per organization; default: as in the default plan, or as many as generated posts',
      count,
    )
    .option('--storage-bytes <count>', 'per organization; default of this and the next one: as in the default plan', largeCount)
    .option('--storage-files <count>', 'media files and text documents per organization', largeCount)
    .option('--no-api-access', 'API keys do not work')
    .action(asOperator(async (operator, plan: Plan) => (await operator.gateway.putPlan({ plan }, operator.as())).plan));
  plans
    .command('list')
    .description('list all plans')
    .action(asOperator(async (operator) => (await operator.gateway.listPlans({}, operator.as())).plans));

  organizationCommands(admin);

  const businesses = admin.command('businesses').description('businesses of an organization');
  businesses
    .command('create')
    .description('create a business')
    .requiredOption('--organization <id>', 'the organization that owns it')
    .requiredOption('--name <name>', 'display name')
    .option('--description <text>', 'what the business does', '')
    .option('--industry <text>', 'industry', '')
    .option('--website <url>', 'website', '')
    .option('--language <tag>', 'language of its posts, BCP 47', 'en')
    .action(
      asOperator(async (operator, { organization, ...fields }: { organization: string } & BusinessFields) => {
        // Content does not know organizations: checking with the gateway keeps a mistyped id from owning a business.
        await operator.gateway.getOrganization({ organizationId: organization }, operator.as());
        const request = { operationId: newId(), businessId: newId(), profile: undefined, ...fields };
        return (await operator.content.createBusiness(request, operator.as({ organizationId: organization }))).business;
      }),
    );

  userCommands(admin);

  const keys = admin.command('keys').description('API keys, and the keys that encrypt stored tokens');
  keys
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'expiry time, ISO 8601 (default: never)', time)
    .action(
      asOperator((operator, { organization, ...key }: { organization: string; name: string; expiresAt?: Date }) =>
        operator.gateway.createApiKey({ organizationId: organization, ...key }, operator.as()),
      ),
    );
  keys
    .command('list')
    .description('list the API keys of an organization without the revoked ones')
    .requiredOption('--organization <id>', 'the organization')
    .action(
      asOperator((operator, { organization: organizationId }: { organization: string }) =>
        allPages(async (page) => {
          const { apiKeys: rows, nextPageToken } = await operator.gateway.listApiKeys({ organizationId, ...page }, operator.as());
          return { rows, nextPageToken };
        }),
      ),
    );
  keys
    .command('revoke')
    .description('revoke an API key and the keys that it created; they stop working within 5 s')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--key <id>', "the key's id")
    .option('--keep-created', 'do not revoke the keys that it created')
    .action(
      asOperator((operator, { organization, key, keepCreated = false }: { organization: string; key: string; keepCreated?: boolean }) =>
        operator.gateway.revokeApiKey({ organizationId: organization, apiKeyId: key, keepCreated }, operator.as()),
      ),
    );

  encryptionCommands(keys);

  const integrations = admin.command('integrations').description('connected accounts');
  integrations
    .command('list')
    .description('list the connected accounts of a business')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--business <id>', 'the business')
    .action(
      asOperator(async (operator, { organization, business }: { organization: string; business: string }) => {
        const scope = operator.as({ organizationId: organization, businessId: business });
        return (await operator.publisher.listIntegrations({ pageSize: 100, pageToken: '' }, scope)).integrations;
      }),
    );
  deletionCommands(admin);
  deliveryCommands(admin);
  deadLetterCommands(admin);
  restoreCommands(admin);
  pauseCommands(admin);
  eventCommands(admin);
  feedbackCommands(admin);
  ledgerCommands(admin);
  demoCommand(admin);
  return admin;
}

interface BusinessFields {
  name: string;
  description: string;
  industry: string;
  website: string;
  language: string;
}

function time(value: string): Date {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('It must be a time such as 2030-01-31T09:00:00Z.');
  return date;
}

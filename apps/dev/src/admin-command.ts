import type { Plan } from '@fanfare/contracts/gateway';
import { newId } from '@fanfare/runtime';
import { Command, InvalidArgumentError } from 'commander';
import { allPages, answer } from './admin-answer.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { encryptionCommands } from './encryption-commands.ts';
import { organizationCommands } from './organization-commands.ts';
import { pauseCommands } from './pause-commands.ts';
import { userCommands } from './user-commands.ts';

const explanation = `What an operator does from the shell. Prints JSON on standard output; what goes wrong is one line of JSON on standard
error. Exit codes: 0; 1 when it failed; 2 when the command line is not usable.
Speaks to the platform that npm start runs in this folder, or to GATEWAY_ADMIN_ADDRESS, CONTENT_ADDRESS and PUBLISHER_ADDRESS (host:port).`;

/** `npm run --silent admin -- <resource> <verb> --flag value`. */
export function adminCommand(): Command {
  const admin = new Command('npm run --silent admin --')
    .description(explanation)
    // Its own words would stand beside ours: `runAdmin` reports what is wrong.
    .configureOutput({ writeErr: () => {} })
    .exitOverride();

  const plans = admin.command('plans').description('what organizations may use');
  plans
    .command('put')
    .description('create a plan, or replace it')
    .requiredOption('--id <id>', 'its short name, such as development')
    .requiredOption('--requests-per-minute <count>', 'per key', count)
    .requiredOption('--requests-per-day <count>', 'per key', count)
    .requiredOption('--requests-per-week <count>', 'per key', count)
    .option(
      '--organization-requests-per-minute <count>',
      "per organization, all of its keys together; five times a key's when it is left out, like the next two",
      count,
    )
    .option('--organization-requests-per-day <count>', 'all keys of an organization together', count)
    .option('--organization-requests-per-week <count>', 'all keys of an organization together', count)
    .option(
      '--user-requests-per-minute <count>',
      'per signed-in user; as in the default plan when it is left out, like the next two',
      count,
    )
    .option('--user-requests-per-day <count>', 'per signed-in user', count)
    .option('--user-requests-per-week <count>', 'per signed-in user', count)
    .requiredOption('--generated-posts-per-month <count>', 'per organization', count)
    .option('--storage-bytes <count>', 'per organization; as in the default plan when it is left out, like the next one', largeCount)
    .option('--storage-files <count>', 'media and text documents per organization', largeCount)
    .option('--no-api-access', 'API keys do not work')
    .action(answer(async (operator, plan: Plan) => (await operator.gateway.putPlan({ plan }, operator.as())).plan));
  plans
    .command('list')
    .description('list all plans')
    .action(answer(async (operator) => (await operator.gateway.listPlans({}, operator.as())).plans));

  organizationCommands(admin);

  const businesses = admin.command('businesses').description('workspaces of an organization');
  businesses
    .command('create')
    .description('create a business')
    .requiredOption('--organization <id>', 'the organization that owns it')
    .requiredOption('--name <name>', 'display name')
    .option('--description <text>', 'what it does', '')
    .option('--industry <text>', 'line of business', '')
    .option('--website <url>', 'home page', '')
    .option('--language <tag>', 'BCP 47 language of its posts', 'en')
    .action(
      answer(async (operator, { organization, ...fields }: { organization: string } & BusinessFields) => {
        // Content knows no organizations: the gateway's word that this one exists keeps a mistyped id from owning a business.
        await operator.gateway.getOrganization({ organizationId: organization }, operator.as());
        const request = { operationId: newId(), businessId: newId(), profile: undefined, ...fields };
        return (await operator.content.createBusiness(request, operator.as({ organizationId: organization }))).business;
      }),
    );

  userCommands(admin);

  const keys = admin.command('keys').description('API keys, and the keys that stored tokens are encrypted with');
  keys
    .command('create')
    .description('create an API key; it is shown this once')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'when it stops working, ISO 8601; never when it is left out', time)
    .action(
      answer((operator, { organization, ...key }: { organization: string; name: string; expiresAt?: Date }) =>
        operator.gateway.createApiKey({ organizationId: organization, ...key }, operator.as()),
      ),
    );
  keys
    .command('list')
    .description('list the API keys of an organization; revoked ones are not among them')
    .requiredOption('--organization <id>', 'the organization')
    .action(
      answer((operator, { organization: organizationId }: { organization: string }) =>
        allPages(async (page) => {
          const { apiKeys: rows, nextPageToken } = await operator.gateway.listApiKeys({ organizationId, ...page }, operator.as());
          return { rows, nextPageToken };
        }),
      ),
    );
  keys
    .command('revoke')
    .description('revoke an API key, and those that it made; they stop working everywhere within 5 s')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--key <id>', "the key's id")
    .option('--keep-created', 'the keys that it made go on')
    .action(
      answer((operator, { organization, key, keepCreated = false }: { organization: string; key: string; keepCreated?: boolean }) =>
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
      answer(async (operator, { organization, business }: { organization: string; business: string }) => {
        const scope = operator.as({ organizationId: organization, businessId: business });
        return (await operator.publisher.listIntegrations({ pageSize: 100, pageToken: '' }, scope)).integrations;
      }),
    );
  deliveryCommands(admin);
  pauseCommands(admin);
  return admin;
}

interface BusinessFields {
  name: string;
  description: string;
  industry: string;
  website: string;
  language: string;
}

function count(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 2 ** 31 - 1) throw new InvalidArgumentError('It must be a whole number from 0.');
  return number;
}

/** Of what is no 32-bit number in the contract. */
function largeCount(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new InvalidArgumentError('It must be a whole number from 0.');
  return number;
}

function time(value: string): Date {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('It must be a time such as 2030-01-31T09:00:00Z.');
  return date;
}

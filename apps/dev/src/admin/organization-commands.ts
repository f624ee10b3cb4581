import { OrganizationMode } from '@fanfare/contracts/gateway';
import { Option, type Command } from 'commander';
import { allPages, asOperator } from './operator/as-operator.ts';

/** Organizations: their plans, and their suspension. */
export function organizationCommands(admin: Command): void {
  const organizations = admin.command('organizations').description('customers');
  organizations
    .command('create')
    .description('create an organization')
    .requiredOption('--name <name>', 'display name')
    .option('--plan <id>', 'id of its plan', 'default')
    .addOption(
      new Option('--mode <mode>', 'test: keys start with fk_test_; live: keys start with fk_live_')
        .choices(['test', 'live'])
        .default('live'),
    )
    .action(
      asOperator(async (operator, { name, plan, mode }: { name: string; plan: string; mode: 'test' | 'live' }) => {
        const modes = { test: OrganizationMode.ORGANIZATION_MODE_TEST, live: OrganizationMode.ORGANIZATION_MODE_LIVE };
        return (await operator.gateway.createOrganization({ name, plan, mode: modes[mode] }, operator.as())).organization;
      }),
    );
  organizations
    .command('list')
    .description('list all organizations, newest first')
    .action(
      asOperator((operator) =>
        allPages(async (page) => {
          const { organizations: rows, nextPageToken } = await operator.gateway.listOrganizations(page, operator.as());
          return { rows, nextPageToken };
        }),
      ),
    );
  ofOne(organizations.command('show').description('show an organization')).action(
    asOperator(async (operator, { organization: organizationId }: OfOne) => {
      return (await operator.gateway.getOrganization({ organizationId }, operator.as())).organization;
    }),
  );
  ofOne(
    organizations.command('suspend').description('suspend an organization: its keys and members get 403 within 5 s, and its posts wait'),
  )
    .requiredOption('--reason <text>', 'reason, shown to operators')
    .action(
      asOperator(async (operator, { organization: organizationId, reason }: OfOne & { reason: string }) => {
        return (await operator.gateway.suspendOrganization({ organizationId, reason }, operator.as())).organization;
      }),
    );
  ofOne(organizations.command('restore').description('end the suspension of an organization and resume its posts')).action(
    asOperator(async (operator, { organization: organizationId }: OfOne) => {
      return (await operator.gateway.restoreOrganization({ organizationId }, operator.as())).organization;
    }),
  );
  ofOne(organizations.command('set-plan').description('change the plan of an organization, within 5 s'))
    .requiredOption('--plan <id>', 'id of the plan')
    .action(
      asOperator(async (operator, { organization: organizationId, plan }: OfOne & { plan: string }) => {
        return (await operator.gateway.setOrganizationPlan({ organizationId, plan }, operator.as())).organization;
      }),
    );
}

interface OfOne {
  organization: string;
}

const ofOne = (command: Command) => command.requiredOption('--organization <id>', 'the organization');

import { OrganizationMode } from '@fanfare/contracts/gateway';
import { Option, type Command } from 'commander';
import { allPages, answer } from './admin-answer.ts';

/** Customers: their plans, and whether they are let in. */
export function organizationCommands(admin: Command): void {
  const organizations = admin.command('organizations').description('customers');
  organizations
    .command('create')
    .description('create an organization')
    .requiredOption('--name <name>', 'display name')
    .option('--plan <id>', "its plan's id", 'default')
    .addOption(new Option('--mode <mode>', 'test: its keys start with fk_test_; live: fk_live_').choices(['test', 'live']).default('live'))
    .action(
      answer(async (operator, { name, plan, mode }: { name: string; plan: string; mode: 'test' | 'live' }) => {
        const modes = { test: OrganizationMode.ORGANIZATION_MODE_TEST, live: OrganizationMode.ORGANIZATION_MODE_LIVE };
        return (await operator.gateway.createOrganization({ name, plan, mode: modes[mode] }, operator.as())).organization;
      }),
    );
  organizations
    .command('list')
    .description('list all organizations, newest first')
    .action(
      answer((operator) =>
        allPages(async (page) => {
          const { organizations: rows, nextPageToken } = await operator.gateway.listOrganizations(page, operator.as());
          return { rows, nextPageToken };
        }),
      ),
    );
  ofOne(organizations.command('show').description('show an organization')).action(
    answer(async (operator, { organization: organizationId }: OfOne) => {
      return (await operator.gateway.getOrganization({ organizationId }, operator.as())).organization;
    }),
  );
  ofOne(organizations.command('suspend').description('shut it out: its keys and members get 403 within 5 s; what it has to publish waits'))
    .requiredOption('--reason <text>', 'why, for other operators')
    .action(
      answer(async (operator, { organization: organizationId, reason }: OfOne & { reason: string }) => {
        return (await operator.gateway.suspendOrganization({ organizationId, reason }, operator.as())).organization;
      }),
    );
  ofOne(organizations.command('restore').description('let a suspended one in again; what waits goes on')).action(
    answer(async (operator, { organization: organizationId }: OfOne) => {
      return (await operator.gateway.restoreOrganization({ organizationId }, operator.as())).organization;
    }),
  );
  ofOne(organizations.command('set-plan').description('put an organization on another plan; it feels it within 5 s'))
    .requiredOption('--plan <id>', "the plan's id")
    .action(
      answer(async (operator, { organization: organizationId, plan }: OfOne & { plan: string }) => {
        return (await operator.gateway.setOrganizationPlan({ organizationId, plan }, operator.as())).organization;
      }),
    );
}

interface OfOne {
  organization: string;
}

const ofOne = (command: Command) => command.requiredOption('--organization <id>', 'the organization');

import { Option, type Command } from 'commander';
import { asOperator } from './operator/as-operator.ts';

/** Paused deliveries wait without failing. */
export function pauseCommands(admin: Command): void {
  const pauses = admin.command('pause').description('pause all deliveries, or those of one platform, organization or account');
  ofOneKind(pauses.command('put').description('pause deliveries, within 2 s'))
    .requiredOption('--reason <text>', 'reason, shown to operators')
    .action(
      asOperator(async (operator, { platform, organization, integration, reason }: PauseTarget & { reason: string }) => {
        const request = { platform, organizationId: organization, integrationId: integration, reason };
        return (await operator.publisher.putPause(request, operator.as())).pause;
      }),
    );
  pauses
    .command('list')
    .description('list pauses')
    .action(asOperator(async (operator) => (await operator.publisher.listPauses({}, operator.as())).pauses));
  ofOneKind(pauses.command('end').description('end a pause, within 2 s; name it as in put, or by its id'))
    .addOption(new Option('--id <id>', 'id of the pause, such as platform:x').conflicts(['platform', 'organization', 'integration']))
    .action(
      asOperator((operator, { id, ...target }: PauseTarget & { id?: string }) =>
        operator.publisher.deletePause({ id: id ?? pauseId(target) }, operator.as()),
      ),
    );
}

/** What is paused; everything if none is set. */
interface PauseTarget {
  platform?: string;
  organization?: string;
  integration?: string;
}

/** The id that the publisher gives to this pause (`rpc/put-pause.ts`). */
export function pauseId({ platform, organization, integration }: PauseTarget): string {
  if (platform !== undefined) return `platform:${platform}`;
  if (organization !== undefined) return `organization:${organization}`;
  return integration === undefined ? 'all' : `integration:${integration}`;
}

const ofOneKind = (command: Command) =>
  command
    .addOption(new Option('--platform <name>', 'only to this platform').conflicts(['organization', 'integration']))
    .addOption(new Option('--organization <id>', 'only of this organization').conflicts('integration'))
    .option('--integration <id>', 'only to this account');

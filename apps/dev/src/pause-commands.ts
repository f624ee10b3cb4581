import { Option, type Command } from 'commander';
import { answer } from './admin-answer.ts';

/** Deliveries that are held: they wait without failing. */
export function pauseCommands(admin: Command): void {
  const pauses = admin.command('pause').description('hold deliveries: of everything, or of one platform, organization or account');
  ofOneKind(pauses.command('put').description('begin to hold; felt within 2 s'))
    .requiredOption('--reason <text>', 'why, for other operators')
    .action(
      answer(async (operator, { platform, organization, integration, reason }: Held & { reason: string }) => {
        const request = { platform, organizationId: organization, integrationId: integration, reason };
        return (await operator.publisher.putPause(request, operator.as())).pause;
      }),
    );
  pauses
    .command('list')
    .description('list what is held')
    .action(answer(async (operator) => (await operator.publisher.listPauses({}, operator.as())).pauses));
  ofOneKind(pauses.command('end').description('go on; felt within 2 s. Say what is held as for put, or its id'))
    .addOption(new Option('--id <id>', 'as list shows it, such as platform:x').conflicts(['platform', 'organization', 'integration']))
    .action(
      answer((operator, { id, ...held }: Held & { id?: string }) =>
        operator.publisher.deletePause({ id: id ?? pauseId(held) }, operator.as()),
      ),
    );
}

/** What is held; with none of them, everything. */
export interface Held {
  platform?: string;
  organization?: string;
  integration?: string;
}

/** As the publisher names the pause of this (`rpc/put-pause.ts`). */
export function pauseId({ platform, organization, integration }: Held): string {
  if (platform !== undefined) return `platform:${platform}`;
  if (organization !== undefined) return `organization:${organization}`;
  return integration === undefined ? 'all' : `integration:${integration}`;
}

const ofOneKind = (command: Command) =>
  command
    .addOption(new Option('--platform <name>', 'only to this platform').conflicts(['organization', 'integration']))
    .addOption(new Option('--organization <id>', 'only of this organization').conflicts('integration'))
    .option('--integration <id>', 'only to this account');

import type { Command } from 'commander';
import { asOperator } from './operator/as-operator.ts';

const LISTED = 100;

/** Deletions of businesses and organizations. */
export function deletionCommands(admin: Command): void {
  const deletions = admin.command('deletions').description('deletions of businesses and organizations');
  deletions
    .command('list')
    .description(`list deletions, the newest ${LISTED}: those that can be cancelled, those that are being erased, and what was erased`)
    .option('--organization <id>', 'only those of this organization and its businesses')
    .action(
      asOperator(async (operator, { organization: organizationId }: { organization?: string }) => {
        return (await operator.gateway.listDeletions({ organizationId, pageSize: LISTED }, operator.as())).deletions;
      }),
    );
  because(
    deletions
      .command('request')
      .description(
        'request a deletion, as its owner could: publishing stops now, and everything is erased after the time in which it can be restored',
      )
      .option('--organization <id>', 'the organization')
      .option('--business <id>', 'the business'),
  ).action(
    asOperator(async (operator, { organization: organizationId, business: businessId, reason }: Requested) => {
      return (await operator.gateway.requestDeletion({ organizationId, businessId, reason }, operator.as())).deletion;
    }),
  );
  ofOne(because(deletions.command('cancel').description('restore a business or an organization that is not erased yet'))).action(
    asOperator(async (operator, { id, reason }: OfOne) => {
      await operator.gateway.cancelDeletion({ id, reason }, operator.as());
      return { id, cancelled: true };
    }),
  );
  ofOne(because(deletions.command('finish').description('erase now what would be erased later; this cannot be undone'))).action(
    asOperator(
      async (operator, { id, reason }: OfOne) => (await operator.gateway.expediteDeletion({ id, reason }, operator.as())).deletion,
    ),
  );
}

interface Requested {
  readonly organization?: string;
  readonly business?: string;
  readonly reason: string;
}

interface OfOne {
  readonly id: string;
  readonly reason: string;
}

const because = (command: Command) => command.requiredOption('--reason <text>', 'reason, for the log');
const ofOne = (command: Command) => command.requiredOption('--id <id>', 'the business or the organization');

import type { Command } from 'commander';
import { allPages, asOperator } from './operator/as-operator.ts';

/** What customers have sent with `POST /api/feedback`. */
export function feedbackCommands(admin: Command): void {
  admin
    .command('feedback')
    .description('feedback of customers')
    .command('list')
    .description('list feedback, newest first')
    .option('--organization <id>', 'only feedback of this organization')
    .action(
      asOperator((operator, { organization: organizationId }: { organization?: string }) =>
        allPages(async (page) => {
          const { feedback: rows, nextPageToken } = await operator.gateway.listFeedback({ organizationId, ...page }, operator.as());
          return { rows, nextPageToken };
        }),
      ),
    );
}

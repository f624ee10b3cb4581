import type { Command } from 'commander';
import { asOperator } from './operator/as-operator.ts';

/** For an installation with a sandbox, which people try out: what `npm start` shows. */
export function demoCommand(admin: Command): void {
  admin
    .command('demo')
    .description('publish a post with an image to the sandbox, in an organization of its own')
    .requiredOption('--api <url>', 'URL of the API, from here')
    .action(
      asOperator(async (operator, { api }: { api: string }) => {
        // Only this command needs the rules of all platforms: the others start in half the time without them.
        const { publishInNewOrganization } = await import('./publish-in-new-organization.ts');
        return publishInNewOrganization(operator, api.replace(/\/+$/, ''));
      }),
    );
}

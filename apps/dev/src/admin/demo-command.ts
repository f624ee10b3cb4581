import { connectAccounts, createTenant, developmentPlan } from '@fanfare/stack';
import type { Command } from 'commander';
import { publishDemo } from '../demo/demo.ts';
import { asOperator, Reported } from './operator/as-operator.ts';

/** For an installation with a sandbox, which people try out: what `npm start` shows. */
export function demoCommand(admin: Command): void {
  admin
    .command('demo')
    .description('publish a post with an image to the sandbox, in an organization of its own')
    .requiredOption('--api <url>', 'URL of the API, from here')
    .action(
      asOperator(async (operator, { api }: { api: string }) => {
        // Only this command needs the rules of all platforms: the others start in half the time without them.
        const { PLATFORMS } = await import('@fanfare/connectors/platform');
        const baseUrl = api.replace(/\/+$/, '');
        await operator.gateway.putPlan({ plan: developmentPlan }, operator.as());
        const tenant = await createTenant(operator, { name: 'Fanfare Demo', plan: developmentPlan.id, businessName: 'Demo Café' });
        const integrations = await connectAccounts(operator, {
          platforms: PLATFORMS,
          organizationId: tenant.organization_id,
          businessId: tenant.business_id,
          redirectUri: `${baseUrl}/oauth/callback`,
        });
        const platform = { ...tenant, base_url: baseUrl, integrations };
        const results = await publishDemo(platform, { caption: undefined, image: undefined }, new AbortController().signal);
        const report = { ...tenant, publish_results: results };
        if (results.length > 0 && results.every(({ status }) => status === 'success')) return report;
        throw new Reported(report, 'The post was not published to all accounts.');
      }),
    );
}

import { PLATFORMS } from '@fanfare/connectors/platform';
import { connectAccounts, createTenant, developmentPlan, type Operator } from '@fanfare/stack';
import { Reported } from './operator/as-operator.ts';
import { publishDemo } from '../demo/demo.ts';

/**
 * Publishes the demo post to an account of each platform, in an organization that it creates.
 * @param baseUrl of the API, without a slash at the end
 * @returns the organization, its API key, and the results
 * @throws Reported with the same, if it was not published to all accounts
 */
export async function publishInNewOrganization(operator: Operator, baseUrl: string): Promise<unknown> {
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
}

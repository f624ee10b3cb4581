import { connectors } from '@fanfare/connectors';
import { newId } from '@fanfare/runtime';
import { connectAccounts } from './connect-accounts.ts';
import { readDevFile, type AdminAddresses, type DevFile } from './dev-file.ts';
import { createOperator, type Operator } from './operator.ts';

export type Seeded = Pick<DevFile, 'api_key' | 'organization_id' | 'business_id' | 'integrations' | 'foreign'>;

/** The default plan's limits (the specification's table) a thousand times over. */
const developmentPlan = {
  id: 'development',
  apiAccess: true,
  requestsPerMinute: 100 * 1000,
  requestsPerDay: 2_000 * 1000,
  requestsPerWeek: 10_000 * 1000,
  generatedPostsPerMonth: 200 * 1000,
};

/** Creates what a developer starts with, or finds it when an earlier start did. */
export async function seed({ baseUrl, namespace, admin }: { baseUrl: string; namespace: string; admin: AdminAddresses }): Promise<Seeded> {
  const operator = createOperator(admin);
  try {
    await operator.gateway.putPlan({ plan: developmentPlan }, operator.as());
    const earlier = await findEarlier(baseUrl, namespace);
    const demo = earlier ?? (await createTenant(operator, 'Fanfare Demo', developmentPlan.id, 'Demo Café'));
    const foreign = earlier?.foreign ?? (await createTenant(operator, 'Fanfare Foreign', 'default', 'Foreign Bakery'));
    const integrations = await connectAccounts(operator, {
      platforms: Object.keys(connectors),
      organizationId: demo.organization_id,
      businessId: demo.business_id,
      redirectUri: `${baseUrl}/oauth/callback`,
    });
    return {
      api_key: demo.api_key,
      organization_id: demo.organization_id,
      business_id: demo.business_id,
      integrations,
      foreign: { api_key: foreign.api_key, business_id: foreign.business_id },
    };
  } finally {
    operator.close();
  }
}

async function findEarlier(baseUrl: string, namespace: string): Promise<DevFile | undefined> {
  const file = readDevFile();
  if (file?.namespace !== namespace) return undefined;
  const knows = await Promise.all([file, file.foreign].map((tenant) => sees(baseUrl, tenant)));
  return knows.every(Boolean) ? file : undefined;
}

/** Whether a key still opens its business. */
async function sees(baseUrl: string, { api_key, business_id }: { api_key: string; business_id: string }): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/businesses/${business_id}/posts?limit=1`, {
    headers: { authorization: `Bearer ${api_key}` },
    signal: AbortSignal.timeout(10_000),
  });
  await answer.body?.cancel();
  return answer.ok;
}

async function createTenant(operator: Operator, name: string, plan: string, businessName: string) {
  const { organization } = await operator.gateway.createOrganization({ name, plan, mode: 'ORGANIZATION_MODE_TEST' }, operator.as());
  const organizationId = organization?.id ?? '';
  const { apiKey } = await operator.gateway.createApiKey({ organizationId, name: 'development' }, operator.as());
  const { business } = await operator.content.createBusiness(
    {
      operationId: newId(),
      businessId: newId(),
      name: businessName,
      description: 'Made by npm start, to try things with.',
      industry: 'Food and drink',
      website: '',
      language: 'en',
    },
    operator.as({ organizationId }),
  );
  return { organization_id: organizationId, api_key: apiKey, business_id: business?.id ?? '' };
}

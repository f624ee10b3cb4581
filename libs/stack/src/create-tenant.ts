import { newId } from '@fanfare/runtime';
import type { Operator } from './operator.ts';

export interface Tenant {
  readonly organization_id: string;
  readonly api_key: string;
  readonly business_id: string;
}

/** Creates an organization in test mode, with a business and an API key. */
export async function createTenant(
  operator: Operator,
  { name, plan, businessName }: { name: string; plan: string; businessName: string },
): Promise<Tenant> {
  const { organization } = await operator.gateway.createOrganization({ name, plan, mode: 'ORGANIZATION_MODE_TEST' }, operator.as());
  const organizationId = organization?.id ?? '';
  const { apiKey } = await operator.gateway.createApiKey({ organizationId, name: 'development' }, operator.as());
  const { business } = await operator.content.createBusiness(
    {
      operationId: newId(),
      businessId: newId(),
      name: businessName,
      description:
        'We roast our own coffee every week. Croissants come out of the oven at seven, and the bread is sold out by noon. On Saturdays we teach how to pour latte art.',
      industry: 'Food and drink',
      website: '',
      language: 'en',
      profile: undefined,
    },
    operator.as({ organizationId }),
  );
  return { organization_id: organizationId, api_key: apiKey, business_id: business?.id ?? '' };
}

import { connectAccounts, createTenant } from '@fanfare/stack';
import type { BenchPlatform } from '../platform.ts';
import type { Publisher } from './deliveries/publish.ts';

export interface Organization extends Publisher {
  /** Platform → id of the connected account. */
  readonly integrations: Readonly<Record<string, string>>;
}

/** Many organizations, so that the share of an organization or an account does not limit the result. */
const ORGANIZATIONS = 8;

/** New organizations, each with an account of the platforms. */
export function organizations({ baseUrl, operator }: BenchPlatform, platforms: readonly string[]): Promise<Organization[]> {
  return Promise.all(
    Array.from({ length: ORGANIZATIONS }, async (_, index) => {
      const tenant = await createTenant(operator, { name: `Bench ${index}`, plan: 'bench', businessName: `Bench Café ${index}` });
      const { organization_id: organizationId, business_id: businessId, api_key: apiKey } = tenant;
      const redirectUri = `${baseUrl}/oauth/callback`;
      const integrations = await connectAccounts(operator, { platforms, organizationId, businessId, redirectUri });
      return { baseUrl, apiKey, businessId, integrations };
    }),
  );
}

import { connectors } from '@fanfare/connectors';
import { fetch } from '@fanfare/runtime/http-client';
import {
  connectAccounts,
  createOperator,
  createOwner,
  createTenant,
  developmentPlan,
  listConnected,
  type AdminAddresses,
} from '@fanfare/stack';
import { readDevFile, type DemoUser, type DevFile } from '../dev-file.ts';

type Seeded = Pick<DevFile, 'api_key' | 'user' | 'organization_id' | 'business_id' | 'accounts' | 'integrations' | 'foreign'>;

/** Creates a developer's organization, user and accounts, or finds those of an earlier start. */
export async function seed({ baseUrl, namespace, admin }: { baseUrl: string; namespace: string; admin: AdminAddresses }): Promise<Seeded> {
  const operator = createOperator(admin);
  try {
    await operator.gateway.putPlan({ plan: developmentPlan }, operator.as());
    const earlier = await findEarlier(baseUrl, namespace);
    const demo = earlier ?? (await createTenant(operator, { name: 'Fanfare Demo', plan: developmentPlan.id, businessName: 'Demo Café' }));
    const foreign =
      earlier?.foreign ?? (await createTenant(operator, { name: 'Fanfare Foreign', plan: 'default', businessName: 'Foreign Bakery' }));
    // A data directory from before people could sign in has no user.
    const known: DemoUser | undefined = earlier?.user && (await withCurrentPassword(baseUrl, earlier.user));
    const user = known ?? (await createOwner(operator, { organizationId: demo.organization_id, email: 'demo@example.com', name: 'Demo' }));
    const integrations = await connectAccounts(operator, {
      platforms: Object.keys(connectors),
      organizationId: demo.organization_id,
      businessId: demo.business_id,
      redirectUri: `${baseUrl}/oauth/callback`,
    });
    const accounts = await listConnected(operator, { organizationId: demo.organization_id, businessId: demo.business_id });
    return {
      api_key: demo.api_key,
      user,
      organization_id: demo.organization_id,
      business_id: demo.business_id,
      accounts: accounts.toReversed().map(({ id, platform, displayName: name, username }) => ({ id, platform, name, username })),
      integrations,
      foreign,
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

/** The user, without the password if it no longer works. */
async function withCurrentPassword(baseUrl: string, user: DemoUser): Promise<DemoUser> {
  if (user.password === null) return user;
  const response = await request(`${baseUrl}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password: user.password }),
  });
  await response.body?.cancel();
  return response.status === 401 ? { ...user, password: null } : user;
}

/** The key or the business no longer exists. Other failures, such as a used-up limit, are temporary. */
const NO_LONGER_VALID = [401, 403, 404];

/** Whether a key can still read its business. */
async function sees(baseUrl: string, { api_key, business_id }: { api_key: string; business_id: string }): Promise<boolean> {
  const response = await request(`${baseUrl}/api/businesses/${business_id}/posts?limit=1`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  await response.body?.cancel();
  return !NO_LONGER_VALID.includes(response.status);
}

const LIMIT_MS = 60_000;

async function request(url: string, options: NonNullable<Parameters<typeof fetch>[1]>) {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(LIMIT_MS) });
  } catch (error) {
    throw new Error(`${url} could not be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

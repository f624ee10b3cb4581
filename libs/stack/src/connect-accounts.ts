import type { Integration } from '@fanfare/contracts/publisher';
import { fetch } from '@fanfare/runtime/http-client';
import type { Operator } from './operator.ts';

const KNOWN_LIMIT_MS = 30_000;

export interface AccountsWanted {
  readonly platforms: readonly string[];
  readonly organizationId: string;
  readonly businessId: string;
  /** The redirect URI, to which the platform would send the person's browser back. */
  readonly redirectUri: string;
}

/**
 * Connects an account of each platform that the business lacks, by the OAuth flow that a person would go through. A header of the sandbox's consent
 * page replaces the click on its button.
 * @returns platform → integration id
 */
export async function connectAccounts(operator: Operator, wanted: AccountsWanted): Promise<Record<string, string>> {
  const options = operator.as(wanted);
  // Newest first: of several accounts of a platform, the oldest one is returned.
  const connected = new Map((await listConnected(operator, wanted)).map(({ platform, id }) => [platform, id]));
  for (const platform of wanted.platforms) {
    if (connected.has(platform)) continue;
    const { authorizeUrl } = await operator.publisher.beginConnection({ platform, redirectUri: wanted.redirectUri }, options);
    const { integrations: granted } = await operator.publisher.completeConnection(await consent(authorizeUrl), options);
    const account = granted.find((each) => each.platform === platform);
    if (!account) throw new Error(`The sandbox connected no ${platform} account.`);
    connected.set(platform, account.id);
  }
  await waitForContent(operator, options, [...connected.values()]);
  return Object.fromEntries(connected);
}

/** The accounts of a business that can be published to, newest first. */
export async function listConnected(
  operator: Operator,
  scope: { readonly organizationId: string; readonly businessId: string },
): Promise<Integration[]> {
  const { integrations } = await operator.publisher.listIntegrations({ pageSize: 100, pageToken: '' }, operator.as(scope));
  return integrations.filter(isConnected);
}

/** Content learns of accounts from events: a post that is published before an event would miss that account. */
async function waitForContent(operator: Operator, options: ReturnType<Operator['as']>, ids: readonly string[]): Promise<void> {
  const end = performance.now() + KNOWN_LIMIT_MS;
  for (;;) {
    const { targets } = await operator.content.listTargets({}, options);
    const known = new Set(targets.map(({ integrationId }) => integrationId));
    if (ids.every((id) => known.has(id))) return;
    if (performance.now() > end) throw new Error('The content service received no events about the connected accounts. Check its log.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isConnected({ status }: Integration): boolean {
  return status === 'INTEGRATION_STATUS_CONNECTED' || status === 'INTEGRATION_STATUS_EXPIRING';
}

async function consent(authorizeUrl: string): Promise<{ code: string; state: string }> {
  const response = await fetch(authorizeUrl, {
    headers: { 'X-Sandbox-Consent': 'allow' },
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  });
  const location = response.headers.get('location');
  const sentBack = location ? new URL(location, authorizeUrl).searchParams : undefined;
  const [code, state] = [sentBack?.get('code'), sentBack?.get('state')];
  if (!code || !state) {
    throw new Error(`The sandbox's consent page responded with ${response.status}: ${location ?? (await response.text()).slice(0, 300)}`);
  }
  return { code, state };
}

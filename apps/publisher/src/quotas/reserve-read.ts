import { connectorFor, READS } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { currentMs } from '@fanfare/runtime';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import type { Context } from '../context.ts';
import { quotaReserved, quotaWaits } from '../metrics.ts';
import { reserveFromQuota } from './store/quotas.ts';

/** The part of the quota that reads in the background may use; the rest is left to people who wait. */
const BACKGROUND_PART = 0.75;
const UNKNOWN_WAIT_MS = 60_000;

/** What a reservation needs to know of an account. It never changes. */
export type ReadAccount = Pick<IntegrationDocument, 'platform' | 'account_id' | 'organization_id' | 'business_id'>;

/**
 * Reserves one read of an account.
 * @throws DomainError UPSTREAM_PROVIDER_ERROR with `quota` when there is none left
 */
export async function reserveRead(context: Context, account: ReadAccount, isBackground: boolean): Promise<void> {
  const { platform, account_id, organization_id } = account;
  const quota = connectorFor(platform).quotas?.find(({ name }) => name === READS);
  const configured = context.config.quotas[platform]?.[READS];
  const whole = configured ?? quota?.limit;
  if (!quota || whole === undefined) return;
  const limit = isBackground ? Math.max(1, Math.floor(whole * BACKGROUND_PART)) : whole;
  const isOfApp = quota.of === 'app';
  const taken = await reserveFromQuota(context.db, {
    id: isOfApp ? `${platform}/${READS}` : `${platform}/${READS}/${account_id}`,
    key: isOfApp ? organization_id : `minute ${Math.floor(currentMs() / 60_000)}`,
    ...{ quota, amount: 1, limit, isDefault: configured === undefined, mayBeLost: true as const },
    ...(!isOfApp && { isByMinute: true as const }),
  });
  const labels = { platform, quota: READS };
  if (taken.result === 'granted') return quotaReserved.inc(labels, 1);
  quotaWaits.inc(labels);
  const waitMs = (taken.result === 'read_first' ? undefined : taken.waitMs) ?? UNKNOWN_WAIT_MS;
  throw new DomainError(
    'UPSTREAM_PROVIDER_ERROR',
    `The statistics of this account were read too often: ${whole} reads ${windowOf(quota.window)} are allowed.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
      members: { quota: READS },
    },
  );
}

const windowOf = (window: object): string => ('dayIn' in window ? 'a day' : 'an hour');

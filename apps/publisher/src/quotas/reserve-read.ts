import { APP_READS, connectorFor, READS, type Quota } from '@fanfare/connectors';
import { platformLabel } from '@fanfare/connectors/platform';
import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import type { Context } from '../context.ts';
import { quotaReserved, quotaWaits } from '../metrics.ts';
import { windowInWords } from './domain/window-in-words.ts';
import { byClock } from './by-clock.ts';
import { reserveFromQuota, returnToQuota, type ReservationRequest } from './store/quotas.ts';

/** The part of the quota that reads in the background may use; the rest is left to people who wait. */
const BACKGROUND_PART = 0.75;
const UNKNOWN_WAIT_MS = 60_000;

/** What a reservation needs to know of an account. It never changes. */
export type ReadAccount = Pick<IntegrationDocument, 'platform' | 'account_id' | 'organization_id' | 'business_id'>;

export interface Read {
  readonly isBackground: boolean;
  /** How many calls it makes at most. */
  readonly mostCalls: number;
}

/**
 * Reserves the calls of one read of an account, of the account's quota and of our app's: of both, or of none.
 * @throws DomainError UPSTREAM_PROVIDER_ERROR with `quota` when there is not enough left
 */
export async function reserveRead(context: Context, account: ReadAccount, read: Read): Promise<void> {
  const { platform } = account;
  const quotas = connectorFor(platform).quotas?.filter(({ name }) => name === READS || name === APP_READS) ?? [];
  const requests = quotas.flatMap((quota) => requestOf(context, account, quota, read) ?? []);
  const reservations = await Promise.all(requests.map((request) => reserveFromQuota(context.db, request)));
  const missing = reservations.findIndex(({ result }) => result !== 'granted');
  if (missing === -1) {
    for (const { quota, amount } of requests) quotaReserved.inc({ platform, quota: quota.name }, amount);
    return;
  }
  await Promise.all(
    requests.map(async (request, index) => {
      const one = reservations[index];
      if (one?.result === 'granted') await returnToQuota(context.db, { ...request, at: one.at });
    }),
  );
  const { quota, whole } = requests[missing]!;
  const rejected = reservations[missing]!;
  quotaWaits.inc({ platform, quota: quota.name });
  const waitMs = ('waitMs' in rejected ? rejected.waitMs : undefined) ?? UNKNOWN_WAIT_MS;
  const what =
    quota.of === 'app'
      ? `${platformLabel(platform)} was read too often, for all accounts together`
      : 'The statistics of this account were read too often';
  throw new DomainError('UPSTREAM_PROVIDER_ERROR', `${what}: ${whole} calls ${windowInWords(quota.window)} are allowed for reading.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    members: { quota: quota.name },
  });
}

/** Undefined if the quota has no limit. */
function requestOf(
  { config }: Context,
  { platform, account_id, organization_id }: ReadAccount,
  quota: Quota,
  { isBackground, mostCalls }: Read,
): (Omit<ReservationRequest, 'quota'> & { readonly quota: Quota; readonly whole: number }) | undefined {
  const configured = config.quotas[platform]?.[quota.name];
  const whole = configured ?? quota.limit;
  if (whole === undefined) return undefined;
  const limit = isBackground ? Math.max(1, Math.floor(whole * BACKGROUND_PART)) : whole;
  const id = `${platform}/${quota.name}`;
  return {
    ...(quota.of === 'app'
      ? { ...byClock(organization_id, id), key: organization_id }
      : {
          ...byClock(organization_id, `${id}/${account_id}`),
          key: `minute ${Math.floor(now(organization_id).getTime() / 60_000)}`,
          isByMinute: true as const,
        }),
    // A read that takes more than the whole quota waits for all of it.
    ...{
      quota,
      whole,
      amount: Math.min(Math.max(1, mostCalls), limit),
      limit,
      isDefault: configured === undefined,
      mayBeLost: true as const,
    },
  };
}

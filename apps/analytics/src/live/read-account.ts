import { UNKNOWN_AUDIENCE, UNKNOWN_TOTALS, type AccountStatistics } from '@fanfare/connectors';
import { GetAccountStatsResponse, type GetAccountStatsRequest } from '@fanfare/contracts/analytics';
import type { Call } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Config } from '../config.ts';
import { accountWanted, dayIn } from './days.ts';
import type { AccountRef } from './known-account.ts';
import type { LiveReader } from './live-reader.ts';
import { readCallsOf, rulesOf } from './rules-of.ts';
import { accountStatsFrom } from './to-proto.ts';
import { orUnavailable, switchedOff } from './unavailable.ts';

/** Live read of the statistics of an account. */
export async function readAccount(
  { config, live }: { readonly config: Config; readonly live: LiveReader },
  account: AccountRef,
  { start, end, period, metrics, isFresh }: GetAccountStatsRequest,
  call: Call,
): Promise<GetAccountStatsResponse> {
  const { platform } = account;
  const rules = rulesOf(platform);
  const wanted = accountWanted(rules, { start, end, period, metrics }, dayIn(now(account.organizationId), rules.timeZone));
  const about = { platform, accountId: account.accountId, timeZone: rules.timeZone };
  const nothing = (why: string, fetchedAt: Date) => ({
    stats: accountStatsFrom({ ...NOTHING, unavailable: [why] }, { ...about, fetchedAt }, wanted),
  });
  if (config.readsOff.has(platform)) return nothing(switchedOff(platform), now(account.organizationId));
  return live(
    {
      account,
      about: ['account', wanted.start, wanted.end, wanted.period, wanted.metrics],
      isFresh,
      freshSeconds: rules.freshSeconds,
      mostCalls: readCallsOf(platform).account(wanted),
      codec: GetAccountStatsResponse,
      read({ integration, reading, call: readCall }, fetchedAt) {
        const unavailable = (why: string) => nothing(why, fetchedAt);
        return orUnavailable(integration, 'account_stats', unavailable, async () => ({
          stats: accountStatsFrom(await reading.readAccount(readCall, wanted), { ...about, fetchedAt }, wanted),
        }));
      },
    },
    call,
  );
}

const NOTHING: AccountStatistics = { ...UNKNOWN_TOTALS, audience: UNKNOWN_AUDIENCE, series: [], rawMetrics: {}, unavailable: [] };

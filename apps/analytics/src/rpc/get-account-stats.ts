import { UNKNOWN_AUDIENCE, UNKNOWN_TOTALS, type AccountStatistics } from '@fanfare/connectors';
import { GetAccountStatsResponse } from '@fanfare/contracts/analytics';
import { now } from '@fanfare/runtime';
import { accountWanted, dayIn } from '../live/days.ts';
import { readCallsOf, rulesOf } from '../live/rules-of.ts';
import { accountStatsFrom } from '../live/to-proto.ts';
import { orUnavailable, switchedOff } from '../live/unavailable.ts';
import type { Rpc } from './rpc.ts';

export const getAccountStats: Rpc<'getAccountStats'> =
  ({ config, findAccount, live }) =>
  async ({ integrationId, start, end, period, metrics, isFresh }, call) => {
    const account = await findAccount(integrationId, call);
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
  };

const NOTHING: AccountStatistics = { ...UNKNOWN_TOTALS, audience: UNKNOWN_AUDIENCE, series: [], rawMetrics: {}, unavailable: [] };

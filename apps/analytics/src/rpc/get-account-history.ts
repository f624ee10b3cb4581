import type { AccountDay as DayMessage } from '@fanfare/contracts/analytics';
import { now } from '@fanfare/runtime';
import { findAccountDays, type AccountDay } from '../accounts/store/account-months.ts';
import { dayIn, rangeOf } from '../live/days.ts';
import { rulesOf } from '../live/rules-of.ts';
import type { Rpc } from './rpc.ts';

export const getAccountHistory: Rpc<'getAccountHistory'> =
  ({ db, findAccount }) =>
  async ({ integrationId, start, end }, call) => {
    const { platform, accountId, organizationId } = await findAccount(integrationId, call);
    const { timeZone } = rulesOf(platform);
    const today = dayIn(now(organizationId), timeZone);
    const range = rangeOf({ start, end }, today, today);
    const { businessId } = call.metadata;
    const days = await findAccountDays(db, { organizationId, businessId, integrationId }, range);
    return { platform, accountId, ...range, timeZone, days: days.map(messageOf) };
  };

const messageOf = ({
  day,
  followers,
  following,
  posts_count,
  impressions,
  reach,
  profile_views,
  website_clicks,
}: AccountDay): DayMessage => ({
  day,
  followers: followers ?? undefined,
  following: following ?? undefined,
  postsCount: posts_count ?? undefined,
  impressions: impressions ?? undefined,
  reach: reach ?? undefined,
  profileViews: profile_views ?? undefined,
  websiteClicks: website_clicks ?? undefined,
});

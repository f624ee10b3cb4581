import type { ClientSession, Db } from 'mongodb';
import { continuesSeries } from '../../series/next-occurrence.ts';
import { seriesKey } from '../../series/series-content.ts';
import type { PostDocument } from '../post.ts';
import { posts } from './posts.ts';

/** The post that continues a series was created last. The clocks of processes that create posts one right after the other may differ by less than so many posts. */
const MOST_LOOKED_AT = 100;

/** The post of a series with which it continues; undefined if the series has ended. */
export async function findContinuingPost(
  db: Db,
  { organizationId, businessId }: { readonly organizationId: string; readonly businessId: string },
  seriesId: string,
  session: ClientSession,
): Promise<PostDocument | undefined> {
  const newest = await posts(db)
    .find(
      { business_id: businessId, organization_id: organizationId, target_keys: seriesKey(seriesId) },
      { projection: { repeating_cron: 1, is_followed: 1 }, hint: 'targets', session },
    )
    .sort({ created_at: -1, _id: -1 })
    .limit(MOST_LOOKED_AT)
    .toArray();
  const found = newest.find(continuesSeries);
  return (found && (await posts(db).findOne({ _id: found._id }, { session }))) ?? undefined;
}

import { movedClocks, now, realTime } from '@fanfare/runtime';
import type { Db, Filter } from 'mongodb';
import { recentBusinessIds } from '../../businesses/store/clocked-businesses.ts';
import type { PostDocument } from '../post.ts';
import type { DuePost } from './posts.ts';

// Posts of organizations whose test clocks were moved. Their times may have come by those clocks and not by the database's, by which others are found.

const EVER = new Date(0);

const posts = (db: Db) => db.collection<PostDocument>('posts');

/** The index by the times of one business's posts: that by the times of all would be read up to the organization's time. */
const HINT = 'by_scheduled';

/** So many of one organization are found together. */
const MOST = 100;

/** Posts that are due by the test clocks of their organizations, and not by the database's clock. */
export async function findDueByClock(
  db: Db,
  except: { readonly organizations?: readonly string[]; readonly posts?: readonly string[] },
): Promise<DuePost[]> {
  const { organizations = [], posts: ids = [] } = except;
  const clocked = movedClocks().filter((id) => !organizations.includes(id));
  const found = clocked.map(async (organizationId) => {
    const at = now(organizationId);
    return posts(db)
      .find(
        {
          ...scheduledOf({ organizationId, businessIds: await recentBusinessIds(db, organizationId) }, { $gt: EVER, $lte: at }),
          ...without(ids),
          $expr: { $gt: ['$next_due_at', '$$NOW'] },
        },
        { projection: { organization_id: 1, business_id: 1, next_due_at: 1, bytes: { $bsonSize: '$$ROOT' } }, hint: HINT },
      )
      .limit(MOST)
      .map((post) => post as unknown as DuePost)
      .toArray();
  });
  return (await Promise.all(found)).flat().sort((a, b) => Number(a.next_due_at) - Number(b.next_due_at));
}

/** When the next post of these organizations is due, in real time, even if that is in the past. */
export async function findNextDueByClock(db: Db, exceptIds: readonly string[]): Promise<Date | undefined> {
  const nexts = await Promise.all(
    movedClocks().map(async (organizationId) => {
      const of = { organizationId, businessIds: await recentBusinessIds(db, organizationId) };
      const next = await findNextDueOf(db, of, EVER, exceptIds);
      return next && realTime(organizationId, next);
    }),
  );
  return earliest(nexts);
}

/** An organization and its businesses. */
interface Owner {
  readonly organizationId: string;
  readonly businessIds: readonly string[];
}

/** When the next post of an organization is due after a time, by its clock. */
export async function findNextDueOf(db: Db, of: Owner, after: Date, exceptIds: readonly string[] = []): Promise<Date | undefined> {
  const next = await posts(db)
    .find({ ...scheduledOf(of, { $gt: after }), ...without(exceptIds) }, { projection: { next_due_at: 1 }, hint: HINT })
    .sort({ next_due_at: 1 })
    .limit(1)
    .next();
  return next?.next_due_at;
}

/** Whether a post of an organization waits for events of its deliveries since a time. A result that waits for the others waits for what they wait for. */
export async function isAnySending(db: Db, { businessIds }: Owner, since: Date): Promise<boolean> {
  const isOpen = { status: { $in: ['PUBLISH_RESULT_STATUS_PENDING', 'PUBLISH_RESULT_STATUS_PROCESSING'] } };
  const some = (waiting: object) => ({ publish_results: { $elemMatch: { ...isOpen, ...waiting } } });
  const isSent = some({ waiting: { $exists: false } });
  const waitsForOthers = some({ 'waiting.reason': 'others' });
  const waitsForMore = some({ 'waiting.reason': { $exists: true, $ne: 'others' } });
  const found = await posts(db).findOne(
    {
      business_id: { $in: businessIds },
      publish_status: 'PUBLISH_STATUS_SENDING',
      updated_at: { $gte: since },
      $or: [isSent, { ...waitsForOthers, $nor: [waitsForMore] }],
    } as Filter<PostDocument>,
    { projection: { _id: 1 }, hint: 'publish_status' },
  );
  return found !== null;
}

const scheduledOf = ({ organizationId, businessIds }: Owner, at: { readonly $gt: Date; readonly $lte?: Date }): Filter<PostDocument> => ({
  business_id: { $in: [...businessIds] },
  organization_id: organizationId,
  status: 'POST_STATUS_SCHEDULED',
  scheduled_publish_time: at,
  // Claimed posts have a time until they are published, but are no longer due.
  next_due_at: at,
});

const without = (ids: readonly string[]): Filter<PostDocument> => (ids.length > 0 ? { _id: { $nin: [...ids] } } : {});

const earliest = (times: readonly (Date | undefined)[]): Date | undefined =>
  times.filter((time) => time !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0];

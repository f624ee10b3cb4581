import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { scheduleDigest } from '../store/digests.ts';
import { insertNotices, type NoticeDocument } from '../store/notices.ts';

/** A failure, and when that was. */
export type NewNotice = Omit<NoticeDocument, 'at' | 'told_at'> & { readonly at: Date | undefined };

/** What is older is no news: it comes along with a later event, or from a Kafka that this installation has not listened to before. */
const NEWS_MS = 24 * 60 * 60_000;
/** Of a platform's words as much is kept as a mail shows. */
const MAX_MESSAGE = 1_000;

/** Writes down what people are to be told of, and that a digest is to be made; what was written before stays as it is. */
export async function addNotices(
  { db, config }: Pick<Context, 'db' | 'config'>,
  notices: readonly NewNotice[],
  session: ClientSession,
): Promise<void> {
  for (const [organizationId, ofOne] of Map.groupBy(notices, ({ organization_id }) => organization_id)) {
    const newsFrom = now(organizationId).getTime() - NEWS_MS;
    const rows = ofOne.flatMap((one) => (one.at && one.at.getTime() >= newsFrom ? [bounded(one, one.at)] : []));
    if (await insertNotices(db, rows, session)) await scheduleDigest(db, organizationId, config.digestDelayMs, session);
  }
}

const bounded = (notice: NewNotice, at: Date): NoticeDocument => ({
  ...notice,
  at,
  failures: notice.failures.map((failure) => ({ ...failure, message: failure.message.slice(0, MAX_MESSAGE) })),
});

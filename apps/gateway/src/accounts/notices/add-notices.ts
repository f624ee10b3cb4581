import { now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { scheduleDigest } from '../store/digests.ts';
import { insertNotices, type NoticeDocument } from '../store/notices.ts';

/** A failure, and its time. */
export type NewNotice = Omit<NoticeDocument, 'at' | 'told_at'> & { readonly at: Date | undefined };

/** Older failures are ignored: they come with a later event, or from a topic that this installation consumes for the first time. */
const RECENT_MS = 24 * 60 * 60_000;
/** The stored length of a platform's message, which is more than a mail shows. */
const MAX_MESSAGE = 1_000;

/** Stores failures that people must be mailed about, and schedules a digest. Existing notices do not change. */
export async function addNotices(
  { db, config }: Pick<Context, 'db' | 'config'>,
  notices: readonly NewNotice[],
  session: ClientSession,
): Promise<void> {
  for (const [organizationId, ofOne] of Map.groupBy(notices, ({ organization_id }) => organization_id)) {
    const recentFrom = now(organizationId).getTime() - RECENT_MS;
    const rows = ofOne.flatMap((one) => (one.at && one.at.getTime() >= recentFrom ? [bounded(one, one.at)] : []));
    if (await insertNotices(db, rows, session)) await scheduleDigest(db, organizationId, config.digestDelayMs, session);
  }
}

const bounded = (notice: NewNotice, at: Date): NoticeDocument => ({
  ...notice,
  at,
  failures: notice.failures.map((failure) => ({ ...failure, message: failure.message.slice(0, MAX_MESSAGE) })),
});

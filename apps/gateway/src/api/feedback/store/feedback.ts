import { after, pageWithin, jsonBytes, parsePageToken, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';

export const FEEDBACK_CATEGORIES = ['bug', 'idea', 'praise', 'other'] as const;

/** Feedback from a customer. It never changes. */
export interface FeedbackDocument {
  _id: string;
  organization_id: string;
  message: string;
  category: (typeof FEEDBACK_CATEGORIES)[number];
  page_url?: string;
  post_id?: string;
  created_at: Date;
  created_by: string;
  created_by_name?: string;
}

const feedback = (db: Db) => db.collection<FeedbackDocument>('feedback');

export async function createFeedbackIndexes(db: Db): Promise<void> {
  await feedback(db).createIndex({ organization_id: 1, created_at: -1, _id: -1 });
}

/** For operators, who read the feedback of all organizations. */
export async function createAllFeedbackIndex(db: Db): Promise<void> {
  await feedback(db).createIndex({ created_at: -1, _id: -1 });
}

/** Inserts a document. If one with this id exists, it stays unchanged. @returns the stored document */
export async function putFeedback(
  db: Db,
  { _id, organization_id, ...rest }: FeedbackDocument,
  session: ClientSession,
): Promise<FeedbackDocument> {
  const stored = await feedback(db).findOneAndUpdate(
    { _id, organization_id },
    { $setOnInsert: rest },
    { upsert: true, returnDocument: 'after', session },
  );
  if (!stored) throw new Error('An upsert returned no document.');
  return stored;
}

export async function findFeedback(db: Db, organizationId: string, id: string): Promise<FeedbackDocument | null> {
  return feedback(db).findOne({ _id: id, organization_id: organizationId });
}

/** Newest first: of an organization or, for operators, of all. */
export async function listFeedback(
  db: Db,
  organizationId: string | undefined,
  { pageSize, pageToken }: { pageSize: number; pageToken: string },
): Promise<Page<FeedbackDocument>> {
  const binding = ['feedback', organizationId ?? null];
  const find = feedback(db)
    .find({ ...(organizationId !== undefined && { organization_id: organizationId }), ...after(parsePageToken(pageToken, binding)) })
    .sort({ created_at: -1, _id: -1 });
  return pageWithin(find, pageSize, binding, ({ message, page_url = '' }) => jsonBytes(message) + jsonBytes(page_url) + ROW_BYTES);
}

/** The maximum size of the other fields of a row. */
const ROW_BYTES = 4096;

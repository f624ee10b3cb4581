import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { Role } from '../access.ts';
import type { OrganizationDocument } from './organizations.ts';
import type { PlanDocument } from './plans.ts';

/** A session of a user. Ended sessions are deleted. */
export interface SessionDocument {
  _id: string;
  user_id: string;
  /** Never leaves the database. Refresh tokens are derived from it. */
  token: string;
  ip: string;
  user_agent: string;
  created_at: Date;
  /** The time of the last refresh. */
  updated_at: Date;
  expires_at: Date;
  /** The number of refreshes: only the refresh token of this generation works. */
  refresh_generation: number;
}

/** A session ends if it is not refreshed for this time. */
export const SESSION_IDLE_MS = 30 * 24 * 60 * 60_000;
/** A session ends after this time, even if it is refreshed. */
const SESSION_MAX_MS = 90 * 24 * 60 * 60_000;

const sessions = (db: Db) => db.collection<SessionDocument>('sessions');

export async function createSessionIndexes(db: Db): Promise<void> {
  await sessions(db).createIndexes([
    { key: { token: 1 }, unique: true },
    { key: { user_id: 1, created_at: -1, _id: -1 } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ]);
}

const alive = { $expr: { $gt: ['$expires_at', '$$NOW'] } };

export async function findSession(db: Db, id: string, session?: ClientSession): Promise<SessionDocument | null> {
  return sessions(db).findOne({ _id: id, ...alive }, session && { session });
}

export async function findSessionByToken(db: Db, token: string): Promise<SessionDocument | null> {
  return sessions(db).findOne({ token });
}

/**
 * The memberships of a session's user, in the order of joining; undefined if the session has ended. A plan may be missing; deleted organizations are
 * left out.
 */
export async function findMembershipsOfSession(
  db: Db,
  userId: string,
  sessionId: string,
): Promise<{ role: Role; organization: OrganizationDocument; plan?: PlanDocument }[] | undefined> {
  const join = (from: string, localField: string, as: string) => ({ $lookup: { from, localField, foreignField: '_id', as } });
  const first = (array: string) => ({ $first: array });
  const [found] = await sessions(db)
    .aggregate<{ memberships: { role: Role; organization: OrganizationDocument; plan?: PlanDocument }[] }>([
      { $match: { _id: sessionId, user_id: userId, ...alive } },
      {
        $lookup: {
          from: 'members',
          localField: 'user_id',
          foreignField: 'user_id',
          as: 'memberships',
          pipeline: [
            { $sort: { _id: 1 } },
            join('organizations', 'organization_id', 'organization'),
            { $set: { organization: first('$organization') } },
            { $match: { organization: { $exists: true } } },
            join('plans', 'organization.plan_id', 'plan'),
            { $project: { _id: 0, role: 1, organization: 1, plan: first('$plan') } },
          ],
        },
      },
      { $project: { memberships: 1 } },
    ])
    .toArray();
  return found?.memberships;
}

/** Increments a session's generation if it is still `generation`. Null if it is not, or if the session has ended. */
export async function refreshSession(
  db: Db,
  id: string,
  generation: number,
  from: { ip: string; userAgent: string },
): Promise<SessionDocument | null> {
  return sessions(db).findOneAndUpdate(
    { _id: id, refresh_generation: generation, ...alive },
    [
      {
        $set: {
          refresh_generation: generation + 1,
          updated_at: '$$NOW',
          expires_at: { $min: [{ $add: ['$$NOW', SESSION_IDLE_MS] }, { $add: ['$created_at', SESSION_MAX_MS] }] },
          ip: { $literal: from.ip },
          user_agent: { $literal: from.userAgent },
        },
      },
    ],
    { returnDocument: 'after' },
  );
}

/** Whether the session was refreshed less than `ms` ago, by the database's clock. */
export async function wasRefreshedWithin(db: Db, id: string, ms: number): Promise<boolean> {
  return (await sessions(db).countDocuments({ _id: id, $expr: { $gt: ['$updated_at', { $subtract: ['$$NOW', ms] }] } })) === 1;
}

/** Newest first. */
export async function listSessions(
  db: Db,
  userId: string,
  { pageSize, pageToken }: { pageSize: number; pageToken: string },
): Promise<Page<SessionDocument>> {
  const binding = ['sessions', userId];
  const rows = await sessions(db)
    .find({ user_id: userId, $and: [alive, after(parsePageToken(pageToken, binding))] })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

/** Returns false if it does not exist, or belongs to another user. */
export async function deleteSession(db: Db, userId: string, id: string, session?: ClientSession): Promise<boolean> {
  const { deletedCount } = await sessions(db).deleteOne({ _id: id, user_id: userId }, session && { session });
  return deletedCount === 1;
}

/** @param exceptId the session that stays */
export async function deleteSessions(db: Db, userId: string, exceptId?: string, session?: ClientSession): Promise<void> {
  await sessions(db).deleteMany({ user_id: userId, ...(exceptId !== undefined && { _id: { $ne: exceptId } }) }, session && { session });
}

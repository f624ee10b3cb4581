import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import type { Charge } from '../charge.ts';

/** The usage of an organization in a calendar month, UTC. */
interface UsageDocument {
  /** `{organization}:{YYYY-MM}` */
  _id: string;
  posts: number;
  credits: number;
}

/** The monthly limits of a plan; undefined means no limit. */
interface MonthlyLimits {
  readonly posts: number | undefined;
  readonly credits: number | undefined;
}

const usages = (db: Db) => db.collection<UsageDocument>('usage');
const idOf = (organizationId: string, month: string) => `${organizationId}:${month}`;

const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

export const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

export async function readUsage(db: Db, organizationId: string, at: Date): Promise<{ posts: number; credits: number }> {
  const { posts = 0, credits = 0 } = (await usages(db).findOne({ _id: idOf(organizationId, monthOf(at)) })) ?? {};
  return { posts, credits };
}

/**
 * Charges posts, and one credit for each, in the month of `at`.
 * @throws DomainError rate_limit_exceeded that names the quota
 */
export async function chargePosts(
  db: Db,
  session: ClientSession,
  { organizationId, count, limits, at }: { organizationId: string; count: number; limits: MonthlyLimits; at: Date },
): Promise<Charge> {
  const month = monthOf(at);
  const after = await usages(db).findOneAndUpdate(
    { _id: idOf(organizationId, month) },
    { $inc: { posts: count, credits: count } },
    { upsert: true, returnDocument: 'after', session },
  );
  const { posts = count, credits = count } = after ?? {};
  if (limits.posts !== undefined && posts > limits.posts)
    throw exceeded('generated_posts_per_month', 'generated posts', { limit: limits.posts, used: posts - count, count, at });
  if (limits.credits !== undefined && credits > limits.credits)
    throw exceeded('credits_per_month', 'credits', { limit: limits.credits, used: credits - count, count, at });
  return { month, posts: count, credits: count };
}

/** Refunds posts that were not generated. */
export async function refund(db: Db, session: ClientSession, organizationId: string, charge: Charge, made: number): Promise<void> {
  const posts = made - charge.posts;
  const credits = made - charge.credits;
  if (posts === 0 && credits === 0) return;
  await usages(db).updateOne({ _id: idOf(organizationId, charge.month) }, { $inc: { posts, credits } }, { session });
}

function exceeded(
  quota: string,
  what: string,
  { limit, used, count, at }: { limit: number; used: number; count: number; at: Date },
): DomainError {
  const left = Math.max(0, limit - used);
  return new DomainError(
    'rate_limit_exceeded',
    `The plan includes ${limit} ${what} per month. ${left} ${left === 1 ? 'is' : 'are'} left, and this request needs ${count}.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((nextMonth(at).getTime() - at.getTime()) / 1_000)), members: { quota } },
  );
}

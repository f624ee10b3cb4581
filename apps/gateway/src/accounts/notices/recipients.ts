import type { Db } from 'mongodb';
import { findUserBehindKey } from '../store/api-key-lineages.ts';
import { listOwnersAnd } from '../store/members.ts';
import type { NoticeDocument } from '../store/notices.ts';

/** A recipient of a mail, and the notices for them; at least one. */
export interface Recipient {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly notices: readonly NoticeDocument[];
}

/**
 * Owners get all notices, members those about posts that they, or one of their keys, created. Users who turned the mails off, whose address is not
 * confirmed, or who are disabled get none.
 */
export async function listRecipients(db: Db, organizationId: string, notices: readonly NoticeDocument[]): Promise<Recipient[]> {
  const actors = [...new Set(notices.map(({ author }) => author))];
  const users = await Promise.all(actors.map(async (actor) => [actor, await userOf(db, organizationId, actor)] as const));
  const userByActor = new Map(users);
  const members = await listOwnersAnd(
    db,
    organizationId,
    users.flatMap(([, id]) => id ?? []),
  );
  return members
    .filter(({ user }) => user.email_verified && !user.disabled_at)
    .map(({ role, user: { _id: id, email, name, notifications = {} } }) => {
      const concerns = ({ kind, author }: NoticeDocument) =>
        (role === 'owner' || userByActor.get(author) === id) && notifications[kind] !== false;
      return { id, email, name, notices: notices.filter(concerns) };
    })
    .filter((recipient) => recipient.notices.length > 0);
}

/** The user behind an actor. */
async function userOf(db: Db, organizationId: string, actor: string): Promise<string | undefined> {
  const [kind, id] = actor.split(':');
  if (id === undefined || kind === 'user') return id;
  return kind === 'key' ? findUserBehindKey(db, organizationId, id) : undefined;
}

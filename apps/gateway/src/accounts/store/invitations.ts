import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { Role } from '../access.ts';

/** That somebody may join an organization. */
export interface InvitationDocument {
  _id: string;
  organization_id: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** Pending ones may have expired: see `expires_at`. */
  status: 'pending' | 'accepted' | 'cancelled' | 'replaced';
  /** A user's id. */
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  /** How often it was mailed. */
  mails: number;
}

export const INVITATION_MS = 7 * 24 * 60 * 60_000;

const invitations = (db: Db) => db.collection<InvitationDocument>('invitations');

export async function createInvitationIndexes(db: Db): Promise<void> {
  await invitations(db).createIndexes([
    { key: { organization_id: 1, created_at: -1, _id: -1 } },
    { key: { email: 1 }, partialFilterExpression: { status: 'pending' } },
    // One at a time for an address.
    { key: { organization_id: 1, email: 1, status: 1 }, unique: true, partialFilterExpression: { status: 'pending' } },
  ]);
}

const open = { status: 'pending', $expr: { $gt: ['$expires_at', '$$NOW'] } } as const;

/** A repeat with the same id changes nothing. */
export async function insertInvitation(db: Db, { _id, ...rest }: InvitationDocument, session: ClientSession): Promise<void> {
  await invitations(db).updateOne({ _id }, { $setOnInsert: rest }, { upsert: true, session });
}

export async function findInvitation(
  db: Db,
  organizationId: string,
  id: string,
  session?: ClientSession,
): Promise<InvitationDocument | null> {
  return invitations(db).findOne({ _id: id, organization_id: organizationId }, session && { session });
}

/** Whoever it is from; one that can be accepted. */
export async function findOpenInvitation(db: Db, id: string): Promise<InvitationDocument | null> {
  return invitations(db).findOne({ _id: id, ...open });
}

/** Those that an address can accept. */
export async function listOpenInvitationsTo(db: Db, email: string): Promise<InvitationDocument[]> {
  return invitations(db)
    .find({ email, ...open })
    .sort({ created_at: -1, _id: -1 })
    .limit(100)
    .toArray();
}

/** Makes room for another invitation to an address whose last one has expired. */
export async function replaceExpiredInvitation(db: Db, organizationId: string, email: string, session: ClientSession): Promise<void> {
  const expired = { organization_id: organizationId, email, status: 'pending', $expr: { $lte: ['$expires_at', '$$NOW'] } } as const;
  await invitations(db).updateOne(expired, { $set: { status: 'replaced' } }, { session });
}

/** Null when it is not open, or not to this address. */
export async function acceptInvitation(db: Db, id: string, email: string, session: ClientSession): Promise<InvitationDocument | null> {
  return invitations(db).findOneAndUpdate({ _id: id, email, ...open }, { $set: { status: 'accepted' } }, { session });
}

/** Returns what it was; null when it is not pending. */
export async function cancelInvitation(
  db: Db,
  organizationId: string,
  id: string,
  session: ClientSession,
): Promise<InvitationDocument | null> {
  const pending = { _id: id, organization_id: organizationId, status: 'pending' } as const;
  return invitations(db).findOneAndUpdate(pending, { $set: { status: 'cancelled' } }, { session });
}

/** Cancels those that a user sent, for one role or for all. @returns them as they were */
export async function cancelInvitationsBy(
  db: Db,
  organizationId: string,
  { userId, role }: { readonly userId: string; readonly role: Role | undefined },
  session: ClientSession,
): Promise<InvitationDocument[]> {
  const sent = { organization_id: organizationId, invited_by: userId, status: 'pending', ...(role && { role }) } as const;
  const found = await invitations(db).find(sent, { session }).toArray();
  await invitations(db).updateMany(sent, { $set: { status: 'cancelled' } }, { session });
  return found;
}

/** Gives it its full time again. Null when it is not pending. */
export async function renewInvitation(
  db: Db,
  organizationId: string,
  id: string,
  session: ClientSession,
): Promise<InvitationDocument | null> {
  return invitations(db).findOneAndUpdate(
    { _id: id, organization_id: organizationId, status: 'pending' },
    [{ $set: { expires_at: { $add: ['$$NOW', INVITATION_MS] }, mails: { $add: ['$mails', 1] } } }],
    { session, returnDocument: 'after' },
  );
}

/** Newest first. */
export async function listInvitations(
  db: Db,
  organizationId: string,
  { pageSize, pageToken }: { pageSize: number; pageToken: string },
): Promise<Page<InvitationDocument>> {
  const binding = ['invitations', organizationId];
  const rows = await invitations(db)
    .find({ organization_id: organizationId, $and: [after(parsePageToken(pageToken, binding))] })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

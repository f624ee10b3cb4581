import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { Role } from '../access.ts';

/** An invitation of an email address to an organization. */
export interface InvitationDocument {
  _id: string;
  organization_id: string;
  /** Lower case. */
  email: string;
  role: Role;
  /** A pending invitation may have expired: see `expires_at`. */
  status: 'pending' | 'accepted' | 'cancelled' | 'replaced';
  /** The user's id. */
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
    // One pending invitation per address.
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

/** An invitation that can be accepted, of any organization. */
export async function findOpenInvitation(db: Db, id: string): Promise<InvitationDocument | null> {
  return invitations(db).findOne({ _id: id, ...open });
}

/** The invitations that an address can accept. */
export async function listOpenInvitationsTo(db: Db, email: string): Promise<InvitationDocument[]> {
  return invitations(db)
    .find({ email, ...open })
    .sort({ created_at: -1, _id: -1 })
    .limit(100)
    .toArray();
}

/** Marks the expired invitation of an address as replaced, so that another one can be created. */
export async function replaceExpiredInvitation(db: Db, organizationId: string, email: string, session: ClientSession): Promise<void> {
  const expired = { organization_id: organizationId, email, status: 'pending', $expr: { $lte: ['$expires_at', '$$NOW'] } } as const;
  await invitations(db).updateOne(expired, { $set: { status: 'replaced' } }, { session });
}

/** Null if it is not open, or was sent to another address. */
export async function acceptInvitation(db: Db, id: string, email: string, session: ClientSession): Promise<InvitationDocument | null> {
  return invitations(db).findOneAndUpdate({ _id: id, email, ...open }, { $set: { status: 'accepted' } }, { session });
}

/** Returns the previous document; null if it is not pending. */
export async function cancelInvitation(
  db: Db,
  organizationId: string,
  id: string,
  session: ClientSession,
): Promise<InvitationDocument | null> {
  const pending = { _id: id, organization_id: organizationId, status: 'pending' } as const;
  return invitations(db).findOneAndUpdate(pending, { $set: { status: 'cancelled' } }, { session });
}

/** Cancels the invitations that a user sent, for one role or for all. @returns the previous documents */
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

/** Renews the validity of an invitation. Null if it is not pending. */
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

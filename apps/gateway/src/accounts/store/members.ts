import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';
import type { Role } from '../access.ts';
import type { UserDocument } from './users.ts';

/** The membership of a user in an organization. */
export interface MemberDocument {
  _id: string;
  organization_id: string;
  user_id: string;
  role: Role;
  created_at: Date;
}

/** With the name and address of its user. */
export type NamedMember = MemberDocument & { readonly user: { readonly name: string; readonly email: string } };

const members = (db: Db) => db.collection<MemberDocument>('members');

export async function createMemberIndexes(db: Db): Promise<void> {
  await members(db).createIndexes([
    { key: { organization_id: 1, user_id: 1 }, unique: true },
    { key: { user_id: 1 } },
    { key: { organization_id: 1, created_at: -1, _id: -1 } },
  ]);
}

/** Moves memberships out of the documents of users, which contained them in older versions. */
export async function moveMembershipsOutOfUsers(db: Db): Promise<void> {
  for await (const user of usersOfOld(db).find({ memberships: { $exists: true } })) await moveOut(db, user);
}

interface UserOfOld {
  _id: string;
  email: string;
  created_at: Date;
  memberships?: { organization_id: string; role: Role }[];
  email_verified?: boolean;
  updated_at?: Date;
}

const usersOfOld = (db: Db) => db.collection<UserOfOld>('users');

/** Can be repeated after an interruption. */
async function moveOut(db: Db, { _id, created_at, memberships = [] }: UserOfOld): Promise<void> {
  for (const { organization_id, role } of memberships) {
    const member = { _id: newId(), role, created_at };
    await members(db).updateOne({ organization_id, user_id: _id }, { $setOnInsert: member }, { upsert: true });
  }
  // Operators created these users, and are responsible for the address.
  await usersOfOld(db).updateOne({ _id }, { $unset: { memberships: '' }, $set: { email_verified: true, updated_at: created_at } });
}

/** An existing member keeps their role. Returns whether the member is new. */
export async function insertMember(
  db: Db,
  { organization_id, user_id, ...rest }: MemberDocument,
  session: ClientSession,
): Promise<boolean> {
  const { upsertedCount } = await members(db).updateOne({ organization_id, user_id }, { $setOnInsert: rest }, { upsert: true, session });
  return upsertedCount === 1;
}

export async function findMember(db: Db, organizationId: string, userId: string, session?: ClientSession): Promise<MemberDocument | null> {
  return members(db).findOne({ organization_id: organizationId, user_id: userId }, session && { session });
}

export async function setMemberRole(db: Db, id: string, role: Role, session: ClientSession): Promise<void> {
  await members(db).updateOne({ _id: id }, { $set: { role } }, { session });
}

export async function deleteMember(db: Db, id: string, session: ClientSession): Promise<void> {
  await members(db).deleteOne({ _id: id }, { session });
}

export async function countOwners(db: Db, organizationId: string, session: ClientSession): Promise<number> {
  return members(db).countDocuments({ organization_id: organizationId, role: 'owner' }, { session });
}

/** The organizations of a user. */
export async function listOrganizationIds(db: Db, userId: string, session?: ClientSession): Promise<string[]> {
  return (
    await members(db)
      .find({ user_id: userId }, session && { session })
      .toArray()
  ).map(({ organization_id }) => organization_id);
}

export async function listMemberUserIds(db: Db, organizationId: string): Promise<string[]> {
  const found = await members(db)
    .find({ organization_id: organizationId }, { projection: { user_id: 1 } })
    .toArray();
  return found.map(({ user_id }) => user_id);
}

const withUser = [{ $lookup: { from: 'users', localField: 'user_id', foreignField: '_id', as: 'user' } }, { $unwind: '$user' }];

export async function findNamedMember(
  db: Db,
  organizationId: string,
  userId: string,
  session?: ClientSession,
): Promise<NamedMember | undefined> {
  const one = { organization_id: organizationId, user_id: userId };
  const [found] = await members(db)
    .aggregate<NamedMember>([{ $match: one }, ...withUser], session && { session })
    .toArray();
  return found;
}

/** All owners, and those of the given users who are members, with the data of their users. */
export async function listOwnersAnd(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<(MemberDocument & { readonly user: UserDocument })[]> {
  const wanted = { organization_id: organizationId, $or: [{ role: 'owner' as const }, { user_id: { $in: [...userIds] } }] };
  return members(db)
    .aggregate<MemberDocument & { user: UserDocument }>([{ $match: wanted }, { $sort: { created_at: 1, _id: 1 } }, ...withUser])
    .toArray();
}

/** Newest first. */
export async function listMembers(
  db: Db,
  organizationId: string,
  { pageSize, pageToken }: { pageSize: number; pageToken: string },
): Promise<Page<NamedMember>> {
  const binding = ['members', organizationId];
  const rows = await members(db)
    .aggregate<NamedMember>([
      { $match: { organization_id: organizationId, $and: [after(parsePageToken(pageToken, binding))] } },
      { $sort: { created_at: -1, _id: -1 } },
      { $limit: pageSize + 1 },
      ...withUser,
    ])
    .toArray();
  return pageOf(rows, pageSize, binding);
}

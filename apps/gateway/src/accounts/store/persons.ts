import type { Person } from '@fanfare/contracts/gateway';
import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { Db } from 'mongodb';
import { listMemberUserIds, type MemberDocument } from './members.ts';
import type { UserDocument } from './users.ts';

/** A user with their memberships, for operators. */
type PersonDocument = UserDocument & { readonly memberships: readonly Pick<MemberDocument, 'organization_id' | 'role'>[] };

const users = (db: Db) => db.collection<UserDocument>('users');

/** For operators' lists of all users. */
export async function createUserListIndex(db: Db): Promise<void> {
  await users(db).createIndex({ created_at: -1, _id: -1 });
}

const withMemberships = {
  $lookup: {
    from: 'members',
    localField: '_id',
    foreignField: 'user_id',
    as: 'memberships',
    pipeline: [{ $sort: { _id: 1 } }, { $project: { _id: 0, organization_id: 1, role: 1 } }],
  },
};

export async function findPerson(db: Db, id: string): Promise<PersonDocument | undefined> {
  return (
    await users(db)
      .aggregate<PersonDocument>([{ $match: { _id: id } }, withMemberships])
      .toArray()
  )[0];
}

/** Newest first. @param email lower case */
export async function listPersons(
  db: Db,
  { organizationId, email }: { readonly organizationId?: string | undefined; readonly email?: string | undefined },
  { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string },
): Promise<Page<PersonDocument>> {
  const binding = ['persons', organizationId, email];
  const members = organizationId === undefined ? undefined : await listMemberUserIds(db, organizationId);
  const rows = await users(db)
    .aggregate<PersonDocument>([
      {
        $match: {
          ...(email !== undefined && { email }),
          ...(members && { _id: { $in: members } }),
          $and: [after(parsePageToken(pageToken, binding))],
        },
      },
      { $sort: { created_at: -1, _id: -1 } },
      { $limit: pageSize + 1 },
      withMemberships,
    ])
    .toArray();
  return pageOf(rows, pageSize, binding);
}

export function toPerson({
  _id,
  email,
  email_verified,
  name,
  created_at,
  disabled_at,
  disabled_reason,
  memberships,
}: PersonDocument): Person {
  return {
    id: _id,
    email,
    emailVerified: email_verified,
    name,
    createdAt: created_at,
    disabledAt: disabled_at,
    disabledReason: disabled_reason,
    memberships: memberships.map(({ organization_id, role }) => ({ organizationId: organization_id, role })),
  };
}

import type { User } from '@fanfare/contracts/gateway';
import { isDuplicateKey } from '@fanfare/mongo';
import type { Db } from 'mongodb';

export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export interface UserDocument {
  _id: string;
  /** Lower case. */
  email: string;
  name: string;
  created_at: Date;
  memberships: { organization_id: string; role: Role }[];
}

const users = (db: Db) => db.collection<UserDocument>('users');

export async function createUserIndexes(db: Db): Promise<void> {
  await users(db).createIndex({ email: 1 }, { unique: true });
}

/** Answers with false when the address is taken. */
export async function insertUser(db: Db, document: UserDocument): Promise<boolean> {
  try {
    await users(db).insertOne(document);
    return true;
  } catch (error) {
    if (isDuplicateKey(error, 'email')) return false;
    throw error;
  }
}

export function toUser({ _id, email, name, memberships: [membership] }: UserDocument): User {
  return { id: _id, email, name, organizationId: membership?.organization_id ?? '', role: membership?.role ?? '' };
}

import type { ClientSession, Db } from 'mongodb';
import { findApiKeyName } from './api-keys.ts';
import { findUserName } from './users.ts';

/** The current name of an actor; undefined if it is unknown. */
export async function findActorName(db: Db, actor: string, session?: ClientSession): Promise<string | undefined> {
  const [kind, id] = actor.split(':');
  if (id === undefined) return undefined;
  if (kind === 'key') return findApiKeyName(db, id, session);
  return kind === 'user' ? findUserName(db, id, session) : undefined;
}

import type { Collection } from 'mongodb';
import { isDuplicateKey } from './transaction.ts';

/**
 * The versions of Fanfare, oldest first; the last one is this version. By this list a version knows which ones are older than itself, and the one before it,
 * whose code still works after its migrations.
 */
export const RELEASES: readonly [string, ...string[]] = ['0.1.0'];

/** Of the newest version that has migrated a database. It stands among the migrations, where versions without it overlook it. */
export interface ReleaseDocument {
  _id: 'release';
  newest: string;
  /** Older versions that work with what `newest` has migrated: the one before it, and the one that ran when it did. */
  permitted: string[];
  /** The version whose services started last. Absent until one has. */
  last?: string;
}

/** The database was migrated by a version that this one is too old for. */
export class DowngradeError extends Error {
  constructor(database: string, version: string, { newest, permitted }: ReleaseDocument) {
    const others = permitted.length === 0 ? 'an older one' : `one older than ${permitted.join(' and ')}`;
    super(
      `Version ${version} cannot use the database ${database}: version ${newest} has migrated it, and going back to ${others} is not possible. ` +
        `Install ${[...permitted, newest].join(' or ')}, or restore a backup from when ${version} ran.`,
    );
  }
}

/**
 * Records that this version migrates the database, and, as a service, uses it. Called before anything is migrated, so that a migration that is interrupted is known, too.
 * @param serves whether this process uses the database afterwards. A Job that only migrates does not: until pods of its version start, the former version is the
 *   one that runs
 * @throws DowngradeError if a newer version has migrated it, which is not the one after this version, nor ran after it
 */
export async function enterRelease(
  collection: Collection<ReleaseDocument>,
  { releases, serves }: { releases: readonly string[]; serves: boolean },
): Promise<void> {
  const version = releases.at(-1) ?? '';
  const _id = 'release';
  const ran = serves && { last: version };
  for (;;) {
    const former = await collection.findOne({ _id });
    const isOlder = former !== null && !releases.includes(former.newest);
    if (isOlder && !former.permitted.includes(version)) throw new DowngradeError(collection.dbName, version, former);
    if (isOlder || former?.newest === version) {
      if (ran && former.last !== version) await collection.updateOne({ _id, newest: former.newest }, { $set: ran });
      return;
    }
    const older = [releases.at(-2), former?.last].filter((one) => one !== undefined && one !== version) as string[];
    const entered = { newest: version, permitted: [...new Set(older)], ...ran };
    if (await replace(former, entered)) return;
  }

  /** False if another process was first: what it wrote counts. */
  async function replace(former: ReleaseDocument | null, entered: Omit<ReleaseDocument, '_id'>): Promise<boolean> {
    if (former) return (await collection.updateOne({ _id, newest: former.newest }, { $set: entered })).matchedCount > 0;
    try {
      await collection.insertOne({ _id, ...entered });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}

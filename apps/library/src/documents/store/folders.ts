import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import { MAX_DEPTH } from '../domain/folder-depth.ts';
import type { Scope } from '../../scope.ts';
import { foreignFolder, type FolderDocument } from './nodes.ts';

const folders = (db: Db) => db.collection<FolderDocument & { uses?: number }>('nodes');
/** One row for each business: two changes of the tree's shape write it, and so come one after the other. */
const trees = (db: Db) => db.collection<{ _id: string; changes: number }>('folder_trees');

/**
 * Makes sure that a folder is there, and that it cannot be deleted before the transaction is through: a deletion and this write conflict.
 * To be called by every transaction that puts something into a folder.
 * @throws DomainError invalid_value that names `param`, for a folder that this business has not
 */
export async function lockFolder(db: Db, scope: Scope, folderId: string, session: ClientSession, param = 'folder_id'): Promise<void> {
  const locked = await folders(db).updateOne({ _id: folderId, ...liveIn(scope) }, { $inc: { uses: 1 } }, { session });
  if (locked.matchedCount === 0) throw noSuchFolder(param);
}

/** To be called before anything is read by a transaction that makes some folder deeper: otherwise two at once could make a ring, or one too deep. */
export async function lockTree(db: Db, { businessId }: Scope, session: ClientSession): Promise<void> {
  await trees(db).updateOne({ _id: businessId }, { $inc: { changes: 1 } }, { session, upsert: true });
}

/** A folder and those that it is in, from the root down; none for the root itself. Null when this business has no such folder. */
export async function folderChain(
  db: Db,
  scope: Scope,
  folderId: string | null,
  session?: ClientSession,
): Promise<readonly { _id: string; name: string }[] | null> {
  if (folderId === null) return [];
  const above = {
    from: 'nodes',
    startWith: '$parent_id',
    connectFromField: 'parent_id',
    connectToField: '_id',
    as: 'above',
    depthField: 'steps',
    maxDepth: MAX_DEPTH,
  };
  const [found] = await folders(db)
    .aggregate<{ _id: string; name: string; above: { _id: string; name: string; steps: number }[] }>(
      [
        { $match: { _id: folderId, ...liveIn(scope) } },
        { $graphLookup: above },
        { $project: { name: 1, 'above._id': 1, 'above.name': 1, 'above.steps': 1 } },
      ],
      session ? { session } : {},
    )
    .toArray();
  if (!found) return null;
  // Counted as longs.
  return [...found.above.sort((a, b) => Number(b.steps) - Number(a.steps)), found].map(({ _id, name }) => ({ _id, name }));
}

/** Levels of folders from this one down, itself included. */
export async function folderLevels(db: Db, scope: Scope, folderId: string, session: ClientSession): Promise<number> {
  const below = {
    from: 'nodes',
    startWith: '$_id',
    connectFromField: '_id',
    connectToField: 'parent_id',
    as: 'below',
    depthField: 'steps',
    maxDepth: MAX_DEPTH,
    restrictSearchWithMatch: liveIn(scope),
  };
  const [deepest] = await folders(db)
    .aggregate<{ steps: number }>(
      [
        { $match: { _id: folderId, ...liveIn(scope) } },
        { $project: { _id: 1 } },
        { $graphLookup: below },
        { $unwind: '$below' },
        { $group: { _id: null, steps: { $max: '$below.steps' } } },
      ],
      { session },
    )
    .toArray();
  return deepest ? Number(deepest.steps) + 2 : 1;
}

/** Whether a folder has anything in it: files, folders or media. */
export async function isFolderInUse(db: Db, { businessId }: Scope, folderId: string, session: ClientSession): Promise<boolean> {
  const options = { session, projection: { _id: 1 } };
  const inFolder = { business_id: businessId, kind: { $in: ['file', 'folder'] }, parent_id: folderId, deleted: false };
  if (await db.collection('nodes').findOne(inFolder, options)) return true;
  return (await db.collection('media').findOne({ business_id: businessId, folder_id: folderId, deleted: null }, options)) !== null;
}

/**
 * Why a list has no such folder to list.
 * @returns permission_denied for one of another organization, else invalid_value
 */
export async function noFolderToList(db: Db, { organizationId }: Scope, folderId: string): Promise<DomainError> {
  const found = await folders(db).findOne({ _id: folderId, kind: 'folder' }, { projection: { organization_id: 1 } });
  return found && found.organization_id !== organizationId ? foreignFolder() : noSuchFolder('folder_id');
}

export const noSuchFolder = (param: string) => new DomainError('invalid_value', 'This business has no folder with this id.', { param });

const liveIn = ({ organizationId, businessId }: Scope) =>
  ({ business_id: businessId, organization_id: organizationId, kind: 'folder', deleted: false }) as const;

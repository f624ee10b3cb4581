import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import { MAX_DEPTH } from '../domain/folder-depth.ts';
import type { Scope } from '../../scope.ts';
import { foreignFolder, type FolderDocument } from './nodes.ts';

const folders = (db: Db) => db.collection<FolderDocument & { uses?: number }>('nodes');
/** One row for each business. Every change that can make a folder deeper writes it, so that concurrent ones conflict. */
const trees = (db: Db) => db.collection<{ _id: string; changes: number }>('folder_trees');

/**
 * Locks a folder, so that it cannot be deleted until the transaction ends: a deletion conflicts with this write.
 * Every transaction that puts something into a folder must call it.
 * @throws DomainError invalid_value (`param`) if this business has no such folder
 */
export async function lockFolder(db: Db, scope: Scope, folderId: string, session: ClientSession, param = 'folder_id'): Promise<void> {
  const locked = await folders(db).updateOne({ _id: folderId, ...liveIn(scope) }, { $inc: { uses: 1 } }, { session });
  if (locked.matchedCount === 0) throw noSuchFolder(param);
}

/** A transaction that makes a folder deeper must call this before it reads: otherwise two concurrent ones could make a cycle, or exceed the maximum depth. */
export async function lockTree(db: Db, { businessId }: Scope, session: ClientSession): Promise<void> {
  await trees(db).updateOne({ _id: businessId }, { $inc: { changes: 1 } }, { session, upsert: true });
}

/** The folders from the root down to this one; empty for the root. Null if this business has no such folder. */
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
  // depthField is a long.
  return [...found.above.sort((a, b) => Number(b.steps) - Number(a.steps)), found].map(({ _id, name }) => ({ _id, name }));
}

/** The number of levels from this folder down, including itself. */
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

/** Whether a folder contains files, folders or media. */
export async function isFolderInUse(db: Db, { businessId }: Scope, folderId: string, session: ClientSession): Promise<boolean> {
  const options = { session, projection: { _id: 1 } };
  const inFolder = { business_id: businessId, kind: { $in: ['file', 'folder'] }, parent_id: folderId, deleted: false };
  if (await db.collection('nodes').findOne(inFolder, options)) return true;
  return (await db.collection('media').findOne({ business_id: businessId, folder_id: folderId, deleted: null }, options)) !== null;
}

/**
 * The error of a list whose folder does not exist in this business.
 * @returns permission_denied if the folder belongs to another organization, otherwise invalid_value
 */
export async function noFolderToList(db: Db, { organizationId }: Scope, folderId: string): Promise<DomainError> {
  const found = await folders(db).findOne({ _id: folderId, kind: 'folder' }, { projection: { organization_id: 1 } });
  return found && found.organization_id !== organizationId ? foreignFolder() : noSuchFolder('folder_id');
}

export const noSuchFolder = (param: string) => new DomainError('invalid_value', 'This business has no folder with this id.', { param });

const liveIn = ({ organizationId, businessId }: Scope) =>
  ({ business_id: businessId, organization_id: organizationId, kind: 'folder', deleted: false }) as const;

import { isDuplicateKey } from '@fanfare/mongo';
import type { Db } from 'mongodb';
import { nameKey } from '../domain/names.ts';
import type { FileDocument, FolderDocument } from './nodes.ts';

/**
 * Migration: gives existing files and folders the current name keys, oldest first. If two would get the same key, such as "strasse" and "straße" in one
 * folder, the second one keeps its old key. So both stay reachable, no file is renamed, and no new file can get either name. Can be run again.
 */
export async function renewNameKeys(db: Db): Promise<void> {
  const nodes = db.collection<FolderDocument | FileDocument>('nodes');
  const all = nodes.find({ deleted: false }, { projection: { name: 1, name_key: 1 } }).sort({ created_at: 1, _id: 1 });
  for await (const { _id, name, name_key } of all.allowDiskUse(true)) {
    const key = nameKey(name);
    if (key === name_key) continue;
    try {
      // A node that was renamed in the meantime already has the key of its new name.
      await nodes.updateOne({ _id, name }, { $set: { name_key: key } });
    } catch (error) {
      if (!isDuplicateKey(error, 'name_key')) throw error;
    }
  }
}

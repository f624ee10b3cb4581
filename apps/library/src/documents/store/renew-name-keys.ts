import { isDuplicateKey } from '@fanfare/mongo';
import type { Db } from 'mongodb';
import { nameKey } from '../domain/names.ts';
import type { FileDocument, FolderDocument } from './nodes.ts';

/**
 * Gives files and folders from before the keys that their names have now, the earlier ones first. Where two would then collide, such as "strasse"
 * and "straße" in one folder, the one that comes later to the new key, whether it is the younger or not, keeps its old one: both stay reachable, and nobody's file is renamed. Nothing new can take either
 * name, since the other one holds the key. Runs again without harm.
 */
export async function renewNameKeys(db: Db): Promise<void> {
  const nodes = db.collection<FolderDocument | FileDocument>('nodes');
  const all = nodes.find({ deleted: false }, { projection: { name: 1, name_key: 1 } }).sort({ created_at: 1, _id: 1 });
  for await (const { _id, name, name_key } of all.allowDiskUse(true)) {
    const key = nameKey(name);
    if (key === name_key) continue;
    try {
      // Whoever was renamed meanwhile has the key of that name.
      await nodes.updateOne({ _id, name }, { $set: { name_key: key } });
    } catch (error) {
      if (!isDuplicateKey(error, 'name_key')) throw error;
    }
  }
}

import { newId } from '@fanfare/runtime';
import { MongoClient } from 'mongodb';

interface Node {
  _id: string;
  name: string;
  name_key: string;
  created_at: Date;
}

const BATCH = 5_000;

/**
 * Copies a file of the library until its folder has `files` files: with calls it would take a quarter of an hour. Each is a second older than the one
 * before.
 */
export async function fillFolder(mongoUrl: string, database: string, fileId: string, files: number): Promise<void> {
  const client = new MongoClient(mongoUrl);
  try {
    const nodes = client.db(database).collection<Node>('nodes');
    const first = await nodes.findOne({ _id: fileId });
    if (!first) throw new Error(`There is no file ${fileId} to copy.`);
    for (let made = 1; made < files; made += BATCH) {
      const copies = Array.from({ length: Math.min(BATCH, files - made) }, (_, at) => {
        const name = `note-${made + at}.md`;
        return { ...first, _id: newId(), name, name_key: name, created_at: new Date(first.created_at.getTime() - (made + at) * 1000) };
      });
      await nodes.insertMany(copies);
    }
  } finally {
    await client.close();
  }
}

import { Binary, type Db, type Document } from 'mongodb';

/**
 * Searches all documents of all collections of a database for texts, such as the ids of what was erased: also in ids, in the names of fields and in bytes. So a test
 * of an erasure finds what a collection of a later version leaves.
 * @param except collections that may contain them
 * @returns `collection: id` of each document that contains one of them
 */
export async function findEverywhere(
  db: Db,
  texts: readonly string[],
  { except = [] }: { except?: readonly string[] } = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, documents] of await readAll(db, except)) {
    for (const document of documents) {
      const text = textOf(document);
      if (texts.some((one) => text.includes(one))) found.push(`${name}: ${String(document['_id'])}`);
    }
  }
  return found;
}

/** All documents that contain one of the texts, by collection, as comparable texts: to check that something else left them as they are. */
export async function copyOf(
  db: Db,
  texts: readonly string[],
  { except = [] }: { except?: readonly string[] } = {},
): Promise<Record<string, string[]>> {
  const copies = (await readAll(db, except)).map(
    ([name, documents]) =>
      [
        name,
        documents
          .map(textOf)
          .filter((text) => texts.some((one) => text.includes(one)))
          .sort(),
      ] as const,
  );
  return Object.fromEntries(copies.filter(([, found]) => found.length > 0));
}

async function readAll(db: Db, except: readonly string[]): Promise<[name: string, documents: Document[]][]> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => !except.includes(name));
  return Promise.all(names.sort().map(async (name): Promise<[string, Document[]]> => [name, await db.collection(name).find().toArray()]));
}

/** Bytes as characters, so that a text in an encoded message is found. */
const textOf = (document: Document): string =>
  JSON.stringify(document, function (this: Document, key, value: unknown) {
    const original: unknown = this[key];
    return original instanceof Binary ? Buffer.from(original.buffer).toString('latin1') : value;
  });

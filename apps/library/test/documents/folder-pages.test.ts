import { connectMongo, migrate, pageToken as tokenAt, type Mongo } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { testInfrastructure } from '@fanfare/testing';
import { nameKey } from '../../src/documents/domain/names.ts';
import { migrations } from '../../src/migrations.ts';
import { listNodes } from '../../src/documents/store/node-lists.ts';
import type { FileDocument, NodeKind } from '../../src/documents/store/nodes.ts';

const COUNT = 20_000;
const PAGE = 100;
const scope = { organizationId: newId(), businessId: newId() };
const folderId = newId();
const FIRST = Date.parse('2030-01-01T00:00:00Z');

let mongo: Mongo;
beforeAll(async () => {
  const { mongoUrl, database } = testInfrastructure();
  mongo = await connectMongo({ url: mongoUrl, database, service: 'test' });
  await migrate(mongo.db, migrations);
  // Also as many deleted files, files in the root, and folders.
  for (let from = 0; from < COUNT; from += 2_000) {
    const files = Array.from({ length: 2_000 }, (_, at) => aFile(from + at));
    const others = files.flatMap((file) => [
      { ...file, _id: newId(), deleted: true },
      { ...file, _id: newId(), parent_id: null },
      { ...file, _id: newId(), kind: 'folder' as never, name_key: `folder ${file.name_key}` },
    ]);
    await mongo.db.collection<FileDocument>('nodes').insertMany([...files, ...others], { ordered: false });
  }
});
afterAll(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
});

function aFile(index: number): FileDocument {
  const at = new Date(FIRST + index);
  const name = `note-${index}.md`;
  return {
    _id: newId(),
    organization_id: scope.organizationId,
    business_id: scope.businessId,
    created_at: at,
    updated_at: at,
    revision: 1,
    deleted: false,
    kind: 'file',
    parent_id: folderId,
    name,
    name_key: nameKey(name),
    body_text: `# Note ${index}`,
    size_bytes: 10,
    media_ids: [],
  };
}

/** A page, and how much the database examined for it. */
async function profiled(kind: NodeKind, pageToken: string) {
  const { db } = mongo;
  await db.command({ profile: 2 });
  const page = await listNodes(db, scope, { kind, folderId, path: '/Notes', pageSize: PAGE, pageToken });
  await db.command({ profile: 0 });
  const profile = db.collection('system.profile');
  const [seen] = await profile.find({ ns: `${db.databaseName}.nodes` }).toArray();
  await profile.drop();
  return { page, seen };
}

test.each(['file', 'folder'] as const)('no page of a folder with many looks at more than a page: %s', async (kind) => {
  let pageToken = '';
  for (const skipped of [0, COUNT / 2, COUNT - 4 * PAGE]) {
    const before = Date.parse('2030-01-01T00:00:00Z') + COUNT - skipped;
    if (skipped > 0) {
      pageToken = tokenAt({ createdAt: new Date(before), id: newId() }, [kind, scope.businessId, folderId]);
    }
    const { page, seen } = await profiled(kind, pageToken);
    expect(page.rows).toHaveLength(PAGE);
    expect(page.rows[0]?.name).toMatch(new RegExp(`^note-${COUNT - skipped - (skipped > 0 ? 0 : 1)}\\.md$`));
    expect(seen?.['docsExamined']).toBeLessThanOrEqual(PAGE + 1);
    expect(seen?.['keysExamined']).toBeLessThanOrEqual(PAGE + 2);
    expect(seen?.['hasSortStage']).toBeUndefined();
  }
});

test('every file is on one page', async () => {
  const names = new Set<string>();
  let pageToken = '';
  do {
    const page = await listNodes(mongo.db, scope, { kind: 'file', folderId, path: '/Notes', pageSize: 2_000, pageToken });
    for (const { name } of page.rows) names.add(name);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  expect(names.size).toBe(COUNT);
});

// Which versions may use a database: the one that has migrated it last, the one before it, and the one that ran when it did.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { DowngradeError, migrate, RELEASES, type Migration } from '../src/index.ts';

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);

beforeAll(() => client.connect());
beforeEach(() => db.dropDatabase());
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const VERSIONS = ['0.1.0', '0.2.0', '0.3.0', '0.4.0'];
/** What a version does at its start, or its Job: each has a migration more than the one before it. */
function run(version: string, { serves = true } = {}): Promise<string[]> {
  const known = VERSIONS.slice(0, VERSIONS.indexOf(version) + 1);
  const migrations: Migration[] = known.map((one) => ({
    id: `of ${one}`,
    up: async (target) => void (await target.collection('runs').insertOne({ one })),
  }));
  return migrate(db, migrations, { releases: known, serves });
}
const rejected = (version: string) =>
  run(version).then(
    () => undefined,
    (error: unknown) => error,
  );

test('this version is the last one of the list, of package.json and of the chart', () => {
  const root = path.join(import.meta.dirname, '../../..');
  expect(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))).toMatchObject({ version: RELEASES.at(-1) });
  expect(readFileSync(path.join(root, 'deploy/helm/fanfare/Chart.yaml'), 'utf8')).toContain(`\nappVersion: ${RELEASES.at(-1)}\n`);
});

test('one version back is possible, with the migration that it does not know, and forward again', async () => {
  for (const version of ['0.1.0', '0.2.0', '0.3.0']) expect(await run(version)).toEqual([`of ${version}`]);
  expect(await run('0.2.0')).toEqual([]);
  expect(await run('0.2.0')).toEqual([]);
  expect(await run('0.3.0')).toEqual([]);
});

test('two versions back are rejected before anything changes, also in two steps', async () => {
  for (const version of ['0.1.0', '0.2.0', '0.3.0']) await run(version);
  const stored = await db.collection('migrations').find().toArray();
  const error = await rejected('0.1.0');
  expect(error).toBeInstanceOf(DowngradeError);
  expect(error).toMatchObject({
    message:
      `Version 0.1.0 cannot use the database ${database}: version 0.3.0 has migrated it, and going back to one older than 0.2.0 is not possible. ` +
      'Install 0.2.0 or 0.3.0, or restore a backup from when 0.1.0 ran.',
  });
  expect(await db.collection('migrations').find().toArray()).toEqual(stored);
  await run('0.2.0');
  expect(await rejected('0.1.0')).toBeInstanceOf(DowngradeError);
});

test('a version that was never here is rejected too, if the one that was installed is more than one newer', async () => {
  await run('0.3.0');
  expect(await rejected('0.1.0')).toBeInstanceOf(DowngradeError);
  await run('0.2.0');
});

test('an upgrade that skips versions can be taken back: the former version runs until the end of the upgrade', async () => {
  await run('0.1.0');
  await run('0.3.0');
  await run('0.1.0');
  expect(await rejected('0.2.0')).toBeUndefined();
});

test('after going back, the version that runs stays possible when the next upgrade fails', async () => {
  for (const version of ['0.2.0', '0.3.0', '0.2.0', '0.4.0', '0.2.0', '0.3.0']) await run(version);
});

test('the version that runs stays possible after an upgrade of which only the Job ran, and another one after that', async () => {
  await run('0.1.0');
  await run('0.2.0', { serves: false });
  await run('0.3.0', { serves: false });
  await run('0.1.0');
  await run('0.3.0');
  await run('0.4.0', { serves: false });
  expect(await rejected('0.1.0')).toBeInstanceOf(DowngradeError);
});

test('of two versions that enter at the same time, the newer one decides', async () => {
  for (let round = 0; round < 10; round++) {
    await db.dropDatabase();
    await run('0.1.0');
    // The older one is rejected if it comes second.
    await Promise.allSettled([run('0.2.0', { serves: false }), run('0.4.0', { serves: false })]);
    expect(await db.collection('migrations').findOne({ newest: { $exists: true } })).toMatchObject({ newest: '0.4.0' });
  }
});

test('what a version from before this record has migrated is used and recorded', async () => {
  await db.collection<{ _id: string; applied_at: Date }>('migrations').insertOne({ _id: 'of 0.1.0', applied_at: new Date() });
  expect(await Promise.all([run('0.2.0'), run('0.2.0')])).toEqual(expect.arrayContaining([['of 0.2.0']]));
  expect(await rejected('0.1.0')).toBeUndefined();
});

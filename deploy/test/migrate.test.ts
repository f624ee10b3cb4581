// What the chart's Job does before an upgrade: the migrations of each service, as a process that only knows the database.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { migrate as migrateBy, RELEASES } from '@fanfare/mongo';
import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { SERVICES } from '../src/settings-of.ts';

const { mongoUrl, database } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const databaseOf = (service: string) => `${database}_${service}`;
beforeAll(() => client.connect());
afterAll(async () => {
  for (const service of SERVICES) await client.db(databaseOf(service)).dropDatabase();
  await client.close();
});

const APPS = path.join(import.meta.dirname, '../../apps');
async function migrate(service: string, url = mongoUrl): Promise<{ applied?: string[]; msg: string }> {
  const env = { PATH: process.env['PATH'], MONGODB_URL: url, MONGODB_DATABASE: databaseOf(service) };
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(APPS, service, 'dist/migrate.mjs')], { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { applied: string[]; msg: string };
}

test.each(SERVICES)('migrates the database of %s, and does nothing when it is run again', async (service) => {
  const { migrations } = (await import(path.join(APPS, service, 'src/migrations.ts'))) as { migrations: { id: string }[] };
  const ids = migrations.map(({ id }) => id);
  // Two at once: each migration is applied by one of them.
  const both = await Promise.all([migrate(service), migrate(service)]);
  expect(both.flatMap(({ applied }) => applied).sort()).toEqual(ids.toSorted());
  expect((await migrate(service)).applied).toEqual([]);
});

test('a rollback by one version is possible, and one by two is rejected with the reason, once', async () => {
  const service = 'content';
  await migrate(service);
  const db = client.db(databaseOf(service));
  const added = [{ id: '9999-of-a-newer-version', up: async () => {} }];
  await migrateBy(db, added, { releases: [...RELEASES, '9.1.0'] });
  expect((await migrate(service)).applied).toEqual([]);

  for (const newer of [['9.1.0'], ['9.1.0', '9.2.0']]) await migrateBy(db, added, { releases: [...RELEASES, ...newer] });
  const error = await migrate(service).then(
    () => undefined,
    (reason: { code: number; stdout: string }) => reason,
  );
  // The Job ends at once with this code, see templates/migrate.yaml.
  expect(error?.code).toBe(2);
  expect(error?.stdout).toContain(
    `Version ${RELEASES.at(-1)} cannot use the database ${databaseOf(service)}: version 9.2.0 has migrated it`,
  );
});

test('says why it could not migrate, and fails, so that the upgrade stops', async () => {
  const error = await migrate('content', 'http://not-mongodb').then(
    () => undefined,
    (reason: { code: number; stdout: string }) => reason,
  );
  expect(error?.code).toBe(1);
  expect(error?.stdout).toContain('MONGODB_URL: must start with mongodb://');
});

test('connects to a database on another machine only with TLS, like the services', async () => {
  await expect(migrate('content', 'mongodb://db.example.com/')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('MONGODB_URL: is on another machine and has no TLS'),
  });
});

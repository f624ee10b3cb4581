// What the chart's Job does before an upgrade: the migrations of each service, as a process that only knows the database.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
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

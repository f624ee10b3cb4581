import { migrate } from '@fanfare/mongo';
import { testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import type { EndpointDocument } from '../src/endpoints/endpoint.ts';
import { beginSending, endpointRows, markQueued } from '../src/endpoints/store/endpoints.ts';
import { migrations } from '../src/migrations.ts';

const LEASE_MS = 60_000;

const { mongoUrl, database } = testInfrastructure();
const mongo = new MongoClient(mongoUrl);
const db = mongo.db(database);

beforeAll(() => migrate(db, migrations));
afterAll(async () => {
  await db.dropDatabase();
  await mongo.close();
});

const anEndpoint = () =>
  db.collection<EndpointDocument>('endpoints').insertOne({ _id: 'e1', queued: 0, held: false, send_at: new Date(0) } as EndpointDocument);

test('deliveries that are added in the moment in which a process begins to send do not bring a second process', async () => {
  await anEndpoint();
  const row = (await endpointRows.leaseDue(db, LEASE_MS))!;
  await markQueued(db, ['e1']);
  const leased = await beginSending(db, row, LEASE_MS);
  expect(leased.queued).toBe(1);
  expect(await endpointRows.leaseDue(db, LEASE_MS)).toBeNull();
  await markQueued(db, ['e1']);
  expect(await endpointRows.leaseDue(db, LEASE_MS)).toBeNull();
});

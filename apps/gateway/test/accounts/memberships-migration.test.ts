import { connectMongo, migrate } from '@fanfare/mongo';
import { moveMembershipsOutOfUsers } from '../../src/accounts/store/members.ts';
import { startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

test('memberships in the documents of users are migrated, even after an interruption', async () => {
  const { config } = gateway.context;
  const mongo = await connectMongo({ url: config.mongo.url, database: `${config.mongo.database}_old`, service: 'test' });
  try {
    const old = { email: 'old@example.com', name: 'Old', created_at: new Date(0) };
    const memberships = [{ organization_id: 'o1', role: 'admin' }];
    await mongo.db.collection('users').insertOne({ _id: 'u1', ...old, memberships } as never);
    await mongo.db.collection('members').insertOne({ _id: 'm1', organization_id: 'o1', user_id: 'u1', role: 'admin' } as never);
    await mongo.db.collection('users').insertOne({ _id: 'u2', ...old, memberships } as never);
    await migrate(mongo.db, [{ id: 'move', up: moveMembershipsOutOfUsers }]);
    expect(await mongo.db.collection('members').countDocuments({ organization_id: 'o1', role: 'admin' })).toBe(2);
    const users = await mongo.db.collection('users').find().toArray();
    expect(users.map(({ email_verified, memberships: left }) => ({ email_verified, left }))).toEqual([
      { email_verified: true, left: undefined },
      { email_verified: true, left: undefined },
    ]);
  } finally {
    await mongo.db.dropDatabase();
    await mongo.close();
  }
});

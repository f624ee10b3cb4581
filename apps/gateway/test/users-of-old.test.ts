import { connectMongo, migrate } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { moveMembershipsOutOfUsers } from '../src/accounts/store/members.ts';
import { anonymously, asPerson, mailsTo, PASSWORD, signIn } from './people.ts';
import { startGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

describe('users whom a gateway of the version before made', () => {
  const aUserOfOld = async () => {
    const { organizationId } = gateway;
    const user = { _id: newId(), email: `old-${newId()}@example.com`, name: 'Old', created_at: new Date(0) };
    const memberships = [{ organization_id: organizationId, role: 'editor' }];
    await gateway.context.db.collection('users').insertOne({ ...user, memberships } as never);
    return user;
  };
  const expectMember = async (email: string, password: string) => {
    const person = asPerson(gateway, await signIn(gateway, email, password));
    const me = (await (await person.call('GET', '/api/me')).json()) as object;
    expect(me).toMatchObject({ name: 'Old', memberships: [{ organization_id: gateway.organizationId, role: 'editor' }] });
  };

  it('belong where they did, from their first sign-in on', async () => {
    const { _id, email } = await aUserOfOld();
    const { password } = await (await gateway.context.identity.betterAuth()).$context;
    const credential = { _id: newId(), user_id: _id, provider_id: 'credential', account_id: _id, password: await password.hash(PASSWORD) };
    await gateway.context.db.collection('accounts').insertOne(credential as never);
    await expectMember(email, PASSWORD);
    await expectMember(email, PASSWORD);
    expect(await gateway.context.db.collection('members').countDocuments({ user_id: _id })).toBe(1);
  });

  it('choose their first password by mail', async () => {
    const { email } = await aUserOfOld();
    await anonymously(gateway, '/api/auth/password/forgot', { email });
    const token = (await mailsTo(gateway, email)).at(-1)?.token;
    const reset = await anonymously(gateway, '/api/auth/password/reset', { token, password: 'eleven crusty loaves' });
    expect(reset.status).toBe(200);
    await expectMember(email, 'eleven crusty loaves');
  });
});

test('memberships that users held themselves are moved out, also when it was cut short', async () => {
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

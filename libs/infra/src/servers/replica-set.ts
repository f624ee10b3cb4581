import { once } from 'node:events';
import { connect } from 'node:net';
import { type Db, MongoClient, type MongoServerError } from 'mongodb';

/**
 * Checks that a MongoDB responds at the address and supports transactions.
 * @throws Error that says what is wrong
 */
export async function checkReplicaSet(url: string, timeoutMs: number): Promise<void> {
  await withAdmin(url, timeoutMs, async (admin) => {
    const hello = await admin.command({ hello: 1 });
    const isRouter = hello['msg'] === 'isdbgrid';
    if (!hello['setName'] && !isRouter)
      throw new Error('it is not a member of a replica set, which transactions need; start it with --replSet');
  });
}

/**
 * Makes the mongod of this machine the only member, and so the primary, of the set rs0; again if it had another port when its data was written.
 * @throws Error if it does not listen or is not elected yet: retry
 */
export async function becomePrimary(port: number): Promise<void> {
  const host = `127.0.0.1:${port}`;
  await assertListening(port); // Faster than the driver, which checks twice a second.
  await withAdmin(`mongodb://${host}/?directConnection=true`, 5_000, async (admin) => {
    const config = await currentConfig(admin);
    if (!config) {
      await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
    } else if (config.members[0]?.host !== host) {
      await admin.command({
        replSetReconfig: { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] },
        force: true,
      });
    }
    if (!(await admin.command({ hello: 1 }))['isWritablePrimary']) throw new Error('it is not elected primary yet');
  });
}

async function assertListening(port: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

interface ReplicaSetConfig {
  version: number;
  members: { host: string }[];
}

async function currentConfig(admin: Db): Promise<ReplicaSetConfig | undefined> {
  try {
    return (await admin.command({ replSetGetConfig: 1 }))['config'] as ReplicaSetConfig;
  } catch (error) {
    if ((error as MongoServerError).codeName === 'NotYetInitialized') return undefined;
    throw error;
  }
}

async function withAdmin(url: string, timeoutMs: number, use: (admin: Db) => Promise<void>): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: timeoutMs, connectTimeoutMS: timeoutMs });
  try {
    await use(client.db('admin'));
  } finally {
    await client.close();
  }
}

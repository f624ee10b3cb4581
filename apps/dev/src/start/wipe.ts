import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Infra } from '@fanfare/infra';
import { MongoClient } from 'mongodb';
import { localSecrets } from './local-secrets.ts';

/**
 * Deletes what earlier starts left: the sandbox's data, keys and addresses. @fanfare/infra deletes the data of servers that we start; in a MongoDB at
 * a given address only our own databases are dropped. New secrets have a new namespace, so Kafka's old topics are not read again.
 */
export async function wipe(dataDir: string, infra: Infra): Promise<void> {
  if (infra.how === 'given') await dropDatabases(infra.mongoUrl, localSecrets(dataDir).namespace);
  for (const file of ['sandbox.json', 'secrets.json', 'dev.json']) rmSync(path.join(dataDir, file), { force: true });
}

/** A start begins with empty logs; those of the previous one are kept in a folder of their own. */
export function keepOldLogs(dataDir: string): void {
  const logs = path.join(dataDir, 'logs');
  if (!existsSync(logs)) return;
  rmSync(`${logs}.previous`, { recursive: true, force: true });
  renameSync(logs, `${logs}.previous`);
}

async function dropDatabases(mongoUrl: string, namespace: string): Promise<void> {
  const client = new MongoClient(mongoUrl, { serverSelectionTimeoutMS: 10_000 });
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const ours = databases.filter(({ name }) => name.startsWith(`${namespace}_`));
    await Promise.all(ours.map(({ name }) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}

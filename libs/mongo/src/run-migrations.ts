import { createLogger, mongoEnv, mongoProblems, processEnv, readEnv } from '@fanfare/runtime';
import { connectMongo } from './connect.ts';
import { migrate, type Migration } from './migrate.ts';

/**
 * Applies the pending migrations of a service, as a process of its own that then ends: before an upgrade, while the former version still serves. It needs
 * only the settings of the database. It can be interrupted and run again, and several can run at once. A failure is logged, and sets the exit code to 1.
 */
export async function runMigrations(
  { service, database, migrations }: { service: string; database: string; migrations: readonly Migration[] },
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const log = createLogger(`${service}-migrate`);
  try {
    const { LOG_LEVEL, UNENCRYPTED_NETWORK } = processEnv;
    const read = readEnv({ LOG_LEVEL, UNENCRYPTED_NETWORK, ...mongoEnv(database) }, env, [mongoProblems]);
    log.level = read.LOG_LEVEL;
    const mongo = await connectMongo({ url: read.MONGODB_URL, database: read.MONGODB_DATABASE, service: `${service}-migrate` });
    try {
      log.info({ applied: await migrate(mongo.db, migrations) }, 'the database is migrated');
    } finally {
      await mongo.close();
    }
  } catch (error) {
    log.fatal({ err: error }, 'the database could not be migrated; run it again');
    process.exitCode = 1;
  }
}

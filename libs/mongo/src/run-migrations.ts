import { createLogger, mongoEnv, processEnv, readEnv } from '@fanfare/runtime';
import { connectMongo } from './connect.ts';
import { migrate, type Migration } from './migrate.ts';
import { mongoProblems } from './mongo-problems.ts';
import { DowngradeError } from './releases.ts';

/** The exit code of what no repetition can change. The chart's Job ends at once with it. */
const REJECTED = 2;

/**
 * Applies the pending migrations of a service, as a process of its own that then ends: before an upgrade, while the former version still serves. It needs
 * only the settings of the database. It can be interrupted and run again, and several can run at once. A failure is logged, and sets the exit code to 1, or to 2 if
 * this version is too old for the database.
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
      log.info({ applied: await migrate(mongo.db, migrations, { serves: false }) }, 'the database is migrated');
    } finally {
      await mongo.close();
    }
  } catch (error) {
    const isRejected = error instanceof DowngradeError;
    log.fatal({ err: error }, isRejected ? error.message : 'the database could not be migrated; run it again');
    process.exitCode = isRejected ? REJECTED : 1;
  }
}

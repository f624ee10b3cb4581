import type { Started, Wanted } from '../infra.ts';
import { missingForKafka, missingForMongod, throwMissing, type Machine } from '../install/missing-tools.ts';
import { installKafka, locateKafka, startKafka } from './native-kafka.ts';
import { installMongod, locateMongod, startMongod } from './native-mongo.ts';
import { assertPortsFree } from '../ports.ts';

/**
 * Runs mongod and Kafka as processes of this machine.
 * @throws CannotServe if a program is missing and cannot be installed
 */
export async function startNative(wanted: Wanted): Promise<Started> {
  const { mongoPort, kafkaPort } = wanted;
  await assertPortsFree(wanted);
  const { kafka, mongod } = await findPrograms(wanted);
  const results = await Promise.allSettled([
    mongod && mongoPort ? startMongod(mongod, mongoPort, wanted) : undefined,
    kafka && kafkaPort ? startKafka(kafka, kafkaPort, wanted) : undefined,
  ]);
  const running = results.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
  // Neither depends on the other, so both stop at once.
  const stop = async () => void (await Promise.all(running.map((server) => server.stop())));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { stop };
}

/**
 * The programs to run, installed if they were missing. Everything that is missing is reported at once, before anything is downloaded.
 * @throws CannotServe
 */
export async function findPrograms(
  { mongoPort, kafkaPort, cacheDir, onProgress }: Pick<Wanted, 'mongoPort' | 'kafkaPort' | 'cacheDir' | 'onProgress'>,
  machine: Machine = process,
) {
  const kafka = kafkaPort ? await locateKafka(cacheDir) : undefined;
  const mongod = mongoPort ? await locateMongod(cacheDir) : undefined;
  const missing = await Promise.all([
    kafka ? missingForKafka(kafka.java, kafka.jars) : [],
    mongoPort && !mongod ? missingForMongod(machine) : [],
  ]);
  throwMissing(missing.flat());
  if (kafka) await installKafka(kafka, onProgress);
  return { kafka, mongod: mongod ?? (mongoPort ? await installMongod({ cacheDir, onProgress }) : undefined) };
}

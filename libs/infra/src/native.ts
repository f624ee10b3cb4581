import type { Started, Wanted } from './infra.ts';
import { findKafka, startKafka } from './native-kafka.ts';
import { findMongod, startMongod } from './native-mongo.ts';
import { assertPortsFree } from './ports.ts';

/**
 * Runs mongod and Kafka as processes of this machine.
 * @throws CannotServe when a program is missing and cannot be installed
 */
export async function startNative(wanted: Wanted): Promise<Started> {
  const { mongoPort, kafkaPort } = wanted;
  await assertPortsFree(wanted);
  // Kafka first: what it lacks is seen before anything is downloaded.
  const kafka = kafkaPort ? await findKafka(wanted) : undefined;
  const mongod = mongoPort ? await findMongod(wanted) : undefined;
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

import { checkKafka } from './servers/check-kafka.ts';
import { checkReplicaSet } from './servers/replica-set.ts';
import { reasonOf, until } from './until.ts';

export interface Given {
  mongoUrl?: string;
  kafkaBrokers?: string[];
}

const RESPONSE_LIMIT_MS = 5_000;

/**
 * The addresses in MONGODB_URL and KAFKA_BROKERS, checked.
 * @param both throw if one of them is not set
 * @throws Error if a server at one of them does not respond correctly
 */
export async function findGiven(both: boolean): Promise<Given> {
  const { MONGODB_URL: mongoUrl, KAFKA_BROKERS: brokers } = process.env;
  if (both && !mongoUrl) throw new Error('MONGODB_URL is not set: set it to the address of a MongoDB replica set.');
  if (both && !brokers)
    throw new Error('KAFKA_BROKERS is not set: set it to the addresses of Kafka brokers, host:port, separated by commas.');
  const given: Given = {};
  if (mongoUrl) given.mongoUrl = await checkedMongo(mongoUrl);
  if (brokers) given.kafkaBrokers = await checkedBrokers(brokers);
  return given;
}

async function checkedMongo(url: string): Promise<string> {
  try {
    await checkReplicaSet(url, RESPONSE_LIMIT_MS);
    return url;
  } catch (error) {
    const shown = url.replace(/\/\/[^@/]*@/, '//…@');
    throw new Error(`MONGODB_URL (${shown}) cannot be used: ${reasonOf(error)}. Correct it, or unset it to have MongoDB started for you.`, {
      cause: error,
    });
  }
}

/** One broker that responds is enough: it names the others to its clients. */
async function checkedBrokers(brokers: string): Promise<string[]> {
  const addresses = brokers
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  try {
    await until('no response', RESPONSE_LIMIT_MS, () => Promise.any(addresses.map((address) => checkKafka(address))));
    return addresses;
  } catch (error) {
    const { cause } = error as Error;
    const reason = reasonOf(cause instanceof AggregateError ? cause.errors[0] : error);
    throw new Error(`KAFKA_BROKERS (${brokers}) cannot be used: ${reason}. Correct it, or unset it to have Kafka started for you.`, {
      cause: error,
    });
  }
}

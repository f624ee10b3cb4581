import { TestEnvironment } from 'jest-environment-node';
import { Kafka, logLevel } from 'kafkajs';

/**
 * Node's, and at the end of a test file its topics are deleted: hundreds of them would make the broker slow for those that come later. Those of a whole
 * platform have more before the prefix.
 */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.fanfareTopicPrefixes = [];
  }

  async teardown() {
    const prefixes = [...this.global.fanfareTopicPrefixes];
    await super.teardown();
    if (prefixes.length > 0) await deleteTopics(prefixes);
  }
}

async function deleteTopics(prefixes) {
  const admin = new Kafka({ brokers: process.env.KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => prefixes.some((prefix) => topic.includes(prefix)));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}

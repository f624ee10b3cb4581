import { createLogger } from '@fanfare/runtime';
import { createKafka } from './kafka.ts';

// As at a first start: only what operators have to look at is an error.
test.each([
  ['Connection', 'warn'],
  ['BrokerPool', 'error'],
])('the kafkajs message %s is logged as %s', (namespace, level) => {
  const lines: string[] = [];
  const settings = { brokers: ['127.0.0.1:1'], topicPrefix: '', partitions: 1, clientId: 'test', sessionTimeoutMs: 10_000 };
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  createKafka(settings, log).logger().namespace(namespace).error('Response Metadata(key: 3, version: 6)', { error: 'no such topic' });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ level, kafka: namespace, error: 'no such topic' }]);
});

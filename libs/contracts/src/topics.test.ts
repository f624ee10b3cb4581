import { createFileRegistry, fromBinary, type DescMessage } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { readDescriptorSet } from './descriptors.ts';
import { topics } from './topics.ts';

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readDescriptorSet()));
const entries = Object.entries(topics);

test.each(entries)('%s carries a message of the protos, with the codec of that message', (_name, topic) => {
  const message: DescMessage | undefined = registry.getMessage(topic.type);
  expect(message).toBeDefined();
  const members = message!.fields.map(({ oneof, localName }) => oneof?.localName ?? localName);
  expect(Object.keys(topic.codec.decode(new Uint8Array())).sort()).toEqual([...new Set(members)].sort());
});

test.each(entries)('%s is an event of the service that its name begins with', (_name, { name, type }) => {
  expect(type.split('.')).toEqual(['fanfare', name.split('.')[0], 'v1', expect.any(String)]);
});

test.each(['name', 'type', 'codec'] as const)('no two topics have the same %s', (member) => {
  expect(new Set(entries.map(([, topic]) => topic[member])).size).toBe(entries.length);
});

test('every event of the protos has a topic', () => {
  const messages = [...registry].filter((type) => type.kind === 'message').filter(({ file }) => file.name.endsWith('/events'));
  const parts = new Set(messages.flatMap(({ fields }) => fields.map(({ message }) => message?.typeName)));
  const events = messages.map(({ typeName }) => typeName).filter((typeName) => !parts.has(typeName));
  expect(entries.map(([, { type }]) => type).sort()).toEqual(events.sort());
});

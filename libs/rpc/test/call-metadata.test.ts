import { aheadMs, learnClock, newId } from '@fanfare/runtime';
import { fromHeaders, systemCall, toHeaders, type CallMetadata } from '../src/index.ts';
import { aCall, contentClient, runContent } from './running-content.ts';

/** The metadata that a handler gets for a call with this metadata. */
async function transferred(metadata: CallMetadata): Promise<CallMetadata | undefined> {
  let seen: CallMetadata | undefined;
  const server = await runContent({
    getPost: async (_request, call) => {
      seen = call.metadata;
      return { post: undefined };
    },
  });
  const { client, close } = contentClient(server.port);
  await client.getPost({ postId: 'p' }, { call: { metadata } });
  close();
  await server.stop();
  return seen;
}

/** Absent fields arrive as empty strings. */
const arrived = (metadata: CallMetadata) => ({ storageLimits: '', ...metadata });

const everyKind = [
  ['ids as we make them', aCall().metadata],
  ['a flow id in any language', aCall({ flowId: 'Reise nach Zürich – 旅行 🎺' }).metadata],
  ['a flow id with characters that are special in headers and URLs', aCall({ flowId: '100% a=b&c;d, "e"\t f' }).metadata],
  ['a system call without organization', systemCall('publisher')],
  ['storage limits', aCall({ storageLimits: '1024/10' }).metadata],
  ['a system call for an organization', systemCall('publisher', { organizationId: 'o', businessId: 'b', flowId: 'f' })],
] as const;

test.each(everyKind)('%s reaches the handler unchanged', async (_kind, metadata) => {
  expect(await transferred(metadata)).toEqual(arrived(metadata));
});

test.each(everyKind)('%s is unchanged after conversion to HTTP headers and back', (_kind, metadata) => {
  const headers = toHeaders(metadata);
  for (const value of Object.values(headers)) expect(value).toMatch(/^[\x21-\x7e]*$/);
  expect(fromHeaders(headers)).toEqual(arrived(metadata));
});

test('a header of another tool that is not encoded is used as it is', () => {
  expect(fromHeaders({ 'x-flow-id': 'half of it: 50%' }).flowId).toBe('half of it: 50%');
});

test('every call says how far the test clock of its organization is ahead', async () => {
  const [moved, other] = [newId(), newId()];
  learnClock(moved, 86_400_000);
  expect(toHeaders(systemCall('gateway', { organizationId: moved }))['x-test-clock-ms']).toBe('86400000');
  expect(toHeaders(systemCall('gateway', { organizationId: other }))).not.toHaveProperty('x-test-clock-ms');

  fromHeaders({ 'x-organization-id': other, 'x-test-clock-ms': '5000' });
  expect(aheadMs(other)).toBe(5_000);
  for (const wrong of ['', 'soon', '-1']) fromHeaders({ 'x-organization-id': other, 'x-test-clock-ms': wrong });
  expect(aheadMs(other)).toBe(5_000);
});

import { fromHeaders, systemCall, toHeaders, type CallMetadata } from '../src/index.ts';
import { aCall, contentClient, runContent } from './running-content.ts';

/** What a handler is told when it is called with this metadata. */
async function crossing(metadata: CallMetadata): Promise<CallMetadata | undefined> {
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

/** What was not said arrives as nothing. */
const arrived = (metadata: CallMetadata) => ({ storageLimits: '', ...metadata });

const everyKind = [
  ['ids as we make them', aCall().metadata],
  ['a flow id in any language', aCall({ flowId: 'Reise nach Zürich – 旅行 🎺' }).metadata],
  ['a flow id with what headers and URLs use themselves', aCall({ flowId: '100% a=b&c;d, "e"\t f' }).metadata],
  ['a call of our own, without organization', systemCall('publisher')],
  ['what the plan lets be stored', aCall({ storageLimits: '1024/10' }).metadata],
  ['a call of our own for an organization', systemCall('publisher', { organizationId: 'o', businessId: 'b', flowId: 'f' })],
] as const;

test.each(everyKind)('%s reaches the handler unchanged', async (_kind, metadata) => {
  expect(await crossing(metadata)).toEqual(arrived(metadata));
});

test.each(everyKind)('%s comes back unchanged out of HTTP headers', (_kind, metadata) => {
  const headers = toHeaders(metadata);
  for (const value of Object.values(headers)) expect(value).toMatch(/^[\x21-\x7e]*$/);
  expect(fromHeaders(headers)).toEqual(arrived(metadata));
});

test('a header that some other tool wrote without encoding it is taken as it is', () => {
  expect(fromHeaders({ 'x-flow-id': 'half of it: 50%' }).flowId).toBe('half of it: 50%');
});

import { Client as GrpcClient, credentials, makeClientConstructor } from '@grpc/grpc-js';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { HealthServiceService } from '@fanfare/contracts/health';
import { createHealth } from '@fanfare/runtime';
import { eventually, recordLog } from '@fanfare/testing';
import { service as healthService } from 'grpc-health-check';
import { createRpcClient } from '../src/index.ts';
import { aCall, runContent } from './running-content.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a server that is not ready while `reason` returns one. */
async function start(reason: () => string | undefined = () => undefined, reflection = true) {
  const health = createHealth();
  health.add('mongodb', reason);
  const server = await runContent({}, { health, reflection });
  closing.push(server.stop);
  return `127.0.0.1:${server.port}`;
}

describe('grpc.health.v1', () => {
  const HealthClient = makeClientConstructor(healthService, 'Health');

  function healthCheck(address: string) {
    const client = new HealthClient(address, credentials.createInsecure());
    closing.push(() => client.close());
    return () =>
      new Promise<string>((resolve, reject) => {
        client['check']!({ service: '' }, (error: Error | null, response: { status: string }) =>
          error ? reject(error) : resolve(response.status),
        );
      });
  }

  test('follows the readiness of the process', async () => {
    let reason: string | undefined;
    const check = healthCheck(await start(() => reason));
    expect(await check()).toBe('SERVING');
    reason = 'MongoDB does not respond';
    await eventually(async () => (await check()) === 'NOT_SERVING');
    reason = undefined;
    await eventually(async () => (await check()) === 'SERVING');
  });

  test('the first response is NOT_SERVING if the process is not ready', async () => {
    const check = healthCheck(await start(() => 'is starting'));
    expect(await check()).toBe('NOT_SERVING');
  });
});

test('fanfare.health.v1 names the background work that has problems, and the process still serves', async () => {
  const health = createHealth();
  let late: string | undefined = 'the oldest post has been waiting for 31 s';
  health.addWork('late-posts', () => late);
  const server = await runContent({}, { health });
  const { client, close } = createRpcClient({
    target: 'content',
    address: `127.0.0.1:${server.port}`,
    definition: HealthServiceService,
    log: recordLog().log,
  });
  closing.push(server.stop, close);
  const parts = async () => (await client.getWorkHealth({}, { call: aCall() })).problems;
  expect(await parts()).toEqual([{ part: 'late-posts' }]);
  expect(health.callProblems()).toEqual({});
  late = undefined;
  expect(await parts()).toEqual([]);
});

describe('reflection', () => {
  /** Sends a request as grpcurl does: the bytes of one ServerReflectionRequest. */
  async function reflect(address: string, request: Buffer): Promise<Buffer> {
    const client = new GrpcClient(address, credentials.createInsecure());
    closing.push(() => client.close());
    const bytes = (message: Buffer) => message;
    const stream = client.makeBidiStreamRequest('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', bytes, bytes);
    return new Promise((resolve, reject) => {
      stream.on('data', resolve).on('error', reject);
      stream.write(request);
      stream.end();
    });
  }

  /** A field of type string or bytes: its tag, its length (below 128), its content. */
  const field = (number: number, content: string) =>
    Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), Buffer.from(content)]);

  test('is off by default', async () => {
    await expect(reflect(await start(undefined, false), field(7, '*'))).rejects.toThrow('UNIMPLEMENTED');
  });

  test('lists the service', async () => {
    expect((await reflect(await start(), field(7, '*'))).toString('latin1')).toContain('fanfare.content.v1.ContentService');
  });

  test('describes the service with its messages', async () => {
    const response = await reflect(await start(), field(4, 'fanfare.content.v1.ContentService'));
    const at = response.indexOf('\n fanfare/content/v1/content.proto');
    expect(at).toBeGreaterThan(0);
    const file = fromBinary(FileDescriptorProtoSchema, response.subarray(at, at + fileLength(response, at)));
    expect(file.service.map(({ name }) => name)).toEqual(['ContentService']);
    expect(file.messageType.map(({ name }) => name)).toContain('GetPostRequest');
  });

  /** The varint before the file. */
  function fileLength(response: Buffer, at: number): number {
    let start = at - 1;
    while ((response[start - 1]! & 0x80) !== 0) start--;
    return [...response.subarray(start, at)].reduce((length, byte, index) => length + (byte & 0x7f) * 2 ** (7 * index), 0);
  }
});

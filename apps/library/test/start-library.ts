import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { GuardedClient } from '@fanfare/guarded-http';
import { createRpcClient, toHeaders, type CallMetadata, type Client } from '@fanfare/rpc';
import { createLogger, newId, type Logger } from '@fanfare/runtime';
import { testInfrastructure, type TestInfrastructure } from '@fanfare/testing';
import sharp from 'sharp';
import { loadConfig, type Config } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { served } from '../src/rpc/rpc.ts';
import { startServer } from '../src/server.ts';

/** The public host of these tests, on which no server listens. `local` converts its URLs to the library's own address. */
export const PUBLIC_BASE_URL = 'https://media.example.com';

type UploadBody = NonNullable<RequestInit['body']>;

export interface TestLibrary {
  /** For tests that send events to the library or receive its events. */
  readonly infra: TestInfrastructure;
  readonly context: Context;
  readonly client: Client<typeof served>;
  /** The URL with the library's own address. */
  local(url: string): string;
  /** @param options.description of the file: `alt_text` and other fields */
  upload(
    id: string,
    body: UploadBody,
    options?: { call?: CallMetadata; query?: string; description?: Readonly<Record<string, string>> },
  ): Promise<Response>;
  /** The number of documents: media, rows of uploads, and GridFS files and chunks. */
  stored(): Promise<{ media: number; uploads: number; files: number; chunks: number }>;
  stop(): Promise<void>;
}

/** The real service on real MongoDB, with a database of its own. */
export async function startLibrary(
  options: {
    config?: Partial<Config>;
    allowedOrigins?: string[];
    web?: GuardedClient;
    log?: Logger;
    database?: string;
    /** Processes that make derivatives. None by default, so that only the uploaded files are stored. */
    backgroundProcesses?: number;
  } = {},
): Promise<TestLibrary> {
  const infra = testInfrastructure(options.database === undefined ? { service: 'library', seeds: ['0014-cleanup-row'] } : {});
  const { mongoUrl, database, kafkaBrokers, topicPrefix, partitions } = infra;
  const config = loadConfig({
    NODE_ENV: 'test',
    PATH: process.env['PATH'] ?? '',
    MONGODB_URL: mongoUrl,
    MONGODB_DATABASE: options.database ?? database,
    KAFKA_BROKERS: kafkaBrokers.join(','),
    KAFKA_TOPIC_PREFIX: topicPrefix,
    KAFKA_PARTITIONS: String(partitions),
    KAFKA_SESSION_TIMEOUT_MS: '6000',
    GRPC_ADDRESS: '127.0.0.1:0',
    HTTP_ADDRESS: '127.0.0.1:0',
    PUBLIC_BASE_URL,
    INTERNAL_BASE_URL: 'http://127.0.0.9',
    MEDIA_URL_SECRET: `t1:${Buffer.alloc(32, 7).toString('base64')}`,
    FETCH_ALLOWED_ORIGINS: options.allowedOrigins?.join(','),
  });
  const log = options.log ?? createLogger('library', 'silent');
  const workers = { ...config.workers, backgroundProcesses: options.backgroundProcesses ?? 0, backgroundPriority: 0, retryMs: 10 };
  const context = await createContext({ ...config, workers, ...options.config }, log, options.web ? { web: options.web } : {});
  const server = await startServer(context);
  const rpc = createRpcClient({ target: 'library', address: `127.0.0.1:${server.grpcPort}`, definition: served, log });
  const origin = `http://127.0.0.1:${server.httpPort}`;
  const { db } = context;
  return {
    infra,
    context,
    client: rpc.client,
    local: (url) => origin + url.slice(new URL(url).origin.length),
    upload: (id, body, { call = aCall().metadata, query = '', description = {} } = {}) =>
      fetch(`${origin}/uploads/${id}${query}`, {
        method: 'PUT',
        body,
        headers: { ...toHeaders(call), ...descriptionHeaders(description) },
        duplex: 'half',
      }),
    stored: async () => ({
      media: await db.collection('media').countDocuments(),
      uploads: await db.collection('uploads').countDocuments(),
      files: await db.collection('blobs.files').countDocuments(),
      chunks: await db.collection('blobs.chunks').countDocuments(),
    }),
    async stop() {
      rpc.close();
      await server.stop();
      infra.leaveDatabase();
    },
  };
}

/** The header in which the gateway sends the description of a file. */
export const descriptionHeaders = (description: Readonly<Record<string, string>>) => ({
  'x-media': Buffer.from(JSON.stringify(description)).toString('base64'),
});

/** The JSON in the response of an upload. */
export async function mediaOf(response: Response): Promise<Record<string, string>> {
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, string>;
}

export const NOTHING_STORED = { media: 0, uploads: 0, files: 0, chunks: 0 };

const organizationId = newId();
const businessId = newId();

/** A call for the default organization and business of tests. */
export function aCall(differently: Partial<CallMetadata> = {}): { metadata: CallMetadata } {
  return { metadata: { organizationId, businessId, actor: 'key:test', requestId: 'req_test', flowId: 'flow', ...differently } };
}

/** A web server on loopback. */
export async function aWebServer(listener: RequestListener): Promise<{ origin: string; hits: () => number; stop(): Promise<unknown> }> {
  let hits = 0;
  const server = createServer(listener).on('connection', () => hits++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hits: () => hits, stop };
}

/** Noise, so that the file is not tiny. */
const pixels = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'white', noise: { type: 'gaussian', mean: 128, sigma: 40 } } });

export const aJpeg = (width = 120, height = 80): Promise<Buffer> => pixels(width, height).jpeg().toBuffer();
export const aPng = (width = 120, height = 80): Promise<Buffer> => pixels(width, height).png({ compressionLevel: 1 }).toBuffer();
export const fixture = (name: string) => readFile(path.join(import.meta.dirname, 'fixtures', name));

import { createServer, type IncomingMessage } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import type { S3Settings } from '../../src/blobs/store/s3-bucket.ts';

export interface TestS3 {
  readonly settings: S3Settings & { readonly endpoint: string };
  /** The keys of all objects. */
  objects(): Promise<string[]>;
  /** The number of multipart uploads in progress. */
  uploads(): Promise<number>;
  stop(): Promise<void>;
}

const BUCKET = 'media';

/** An S3 server on loopback, with its own directory. */
export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'fanfare-s3-'));
  const s3rver = new S3rver({ silent: true, directory, configureBuckets: [{ name: BUCKET }] });
  await s3rver.configureBuckets();
  const uploadsFolder = path.join(directory, BUCKET, '._S3rver_uploads');
  const handle = s3rver.callback();
  const server = createServer((request, response) => {
    const aborted = abortedUpload(request);
    if (aborted === undefined) return handle(request, response);
    // s3rver cannot abort a multipart upload.
    void rm(path.join(uploadsFolder, path.basename(aborted)), { recursive: true, force: true }).then(() => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const list = (folder: string) => readdir(folder).catch(() => []);
  return {
    settings: {
      bucket: BUCKET,
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    objects: async () => (await list(path.join(directory, BUCKET))).flatMap((name) => /^(.+)\._S3rver_object$/.exec(name)?.[1] ?? []),
    uploads: async () => (await list(uploadsFolder)).length,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function abortedUpload(request: IncomingMessage): string | undefined {
  if (request.method !== 'DELETE') return undefined;
  return new URL(request.url ?? '', 'http://s3').searchParams.get('uploadId') ?? undefined;
}

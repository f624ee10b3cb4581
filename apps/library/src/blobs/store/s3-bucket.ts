import type { Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';

export interface S3Settings {
  readonly bucket: string;
  /** URL of an S3-compatible service; absent for Amazon S3. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Absent: uses the role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

export interface Part {
  readonly number: number;
  readonly etag: string;
}

/** The calls of S3 that the blob store needs. */
export interface S3Bucket {
  /** Size in bytes; undefined if there is no such object. */
  size(key: string): Promise<number | undefined>;
  put(key: string, body: Buffer): Promise<void>;
  /** @param range inclusive; absent for the whole object */
  get(key: string, range?: { start: number; end: number }): Promise<Readable>;
  remove(key: string): Promise<void>;
  beginParts(key: string): Promise<string>;
  putPart(key: string, uploadId: string, number: number, body: Buffer): Promise<Part>;
  /** @throws NoSuchUpload if the upload was completed or aborted */
  joinParts(key: string, uploadId: string, parts: readonly Part[]): Promise<void>;
  dropParts(key: string, uploadId: string): Promise<void>;
  presign(key: string, options: { expiresInSeconds: number; mimeType: string; disposition: string }): Promise<string>;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Timeout of idle connections, including downloads whose reader is slow. */
const IDLE_TIMEOUT_MS = 120_000;
/** Each slow reader occupies one. */
const MAX_SOCKETS = 1_000;

/** Loads the S3 client at the first call, so that processes without calls do not load it. */
export function openBucket({ bucket: Bucket, endpoint, region, credentials }: S3Settings): S3Bucket {
  let loaded: Promise<{ s3: typeof S3; client: S3.S3Client }> | undefined;
  let open: S3.S3Client | undefined;
  const load = () => (loaded ??= start());

  async function start() {
    const s3 = await import('@aws-sdk/client-s3');
    open = new s3.S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      // Some S3-compatible services reject the checksums that the client adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: IDLE_TIMEOUT_MS,
        httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
        httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      },
    });
    return { s3, client: open };
  }

  return {
    async size(Key) {
      const { s3, client } = await load();
      try {
        return (await client.send(new s3.HeadObjectCommand({ Bucket, Key }))).ContentLength;
      } catch (error) {
        if ((error as Error).name === 'NotFound') return undefined;
        throw error;
      }
    },

    async put(Key, Body) {
      const { s3, client } = await load();
      await client.send(new s3.PutObjectCommand({ Bucket, Key, Body }));
    },

    async get(Key, range) {
      const { s3, client } = await load();
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key, ...(Range !== undefined && { Range }) }));
      return Body as Readable;
    },

    async remove(Key) {
      const { s3, client } = await load();
      await client.send(new s3.DeleteObjectCommand({ Bucket, Key }));
    },

    async beginParts(Key) {
      const { s3, client } = await load();
      const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key }));
      if (UploadId === undefined) throw new Error('S3 returned no id for a multipart upload.');
      return UploadId;
    },

    async putPart(Key, UploadId, number, Body) {
      const { s3, client } = await load();
      const { ETag } = await client.send(new s3.UploadPartCommand({ Bucket, Key, UploadId, PartNumber: number, Body }));
      if (ETag === undefined) throw new Error('S3 returned no ETag for an uploaded part.');
      return { number, etag: ETag };
    },

    async joinParts(Key, UploadId, parts) {
      const { s3, client } = await load();
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      await client.send(new s3.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
    },

    async dropParts(Key, UploadId) {
      const { s3, client } = await load();
      try {
        await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      } catch (error) {
        if ((error as Error).name !== 'NoSuchUpload') throw error;
      }
    },

    async presign(Key, { expiresInSeconds, mimeType, disposition }) {
      const [{ s3, client }, { getSignedUrl }] = await Promise.all([load(), import('@aws-sdk/s3-request-presigner')]);
      const get = new s3.GetObjectCommand({ Bucket, Key, ResponseContentType: mimeType, ResponseContentDisposition: disposition });
      return getSignedUrl(client, get, { expiresIn: expiresInSeconds });
    },

    close: () => open?.destroy(),
  };
}

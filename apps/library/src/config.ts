import os from 'node:os';
import {
  developmentOnly,
  inProduction,
  isGuessable,
  isProduction,
  kafkaEnv,
  mongoEnv,
  processEnv,
  publicAddress,
  readEnv,
  setting,
  peerTlsProblems,
  peerTlsSettings,
  rpcEnv,
  kafkaProblems,
  kafkaSettings,
} from '@fanfare/runtime';
import { z } from 'zod';
import { parseSigningKeys } from './media/domain/signing-keys.ts';
import type { S3Settings } from './blobs/store/s3-bucket.ts';

export type Config = ReturnType<typeof loadConfig>;

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...rpcEnv(['gateway', 'content', 'publisher', 'generation']),
      ...mongoEnv('fanfare_library'),
      ...kafkaEnv,
      GRPC_ADDRESS: setting.address('127.0.0.1:4421'),
      /** Bytes: signed media, which the gateway passes on, and uploads from the gateway. Not for the outside. */
      HTTP_ADDRESS: setting.address('127.0.0.1:4422'),
      /** Where callers and platforms reach `/media/…`: the gateway. */
      PUBLIC_BASE_URL: publicAddress(setting.url()),
      /** Where our own processes reach `/media/…`: this process's HTTP address. */
      INTERNAL_BASE_URL: setting.url(),
      /** `id:base64,…`, 32 bytes each; the first one signs, all of them verify. */
      MEDIA_URL_SECRET: inProduction(
        z.string().transform((text, problems) => {
          const keys = parseSigningKeys(text);
          if (keys) return keys;
          problems.addIssue({ code: 'custom', message: 'must be id:base64 with keys of at least 32 bytes' });
          return z.NEVER;
        }),
        (keys) => ([...keys.values()].some(isGuessable) ? 'has a key that can be guessed, such as all zeros' : undefined),
      ),
      /** Origins that URLs may be fetched from although they are not public: the sandbox, a test's server. */
      FETCH_ALLOWED_ORIGINS: developmentOnly(setting.origins()),
      /** The largest file that is fetched from a URL in the background. */
      FETCH_MAX_BYTES: setting.integer(5 * GIB, 1),
      /** Where ffmpeg and ffprobe are looked for. */
      PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
      /** Whether decoders may run in production where the machine does not let them have their limits and no network. */
      DECODERS_UNCONFINED: z.enum(['true', 'false']).default('false'),
      /** Processes that convert media in the background, at most. */
      MEDIA_PROCESSES: setting.integer(Math.max(1, os.availableParallelism() - 1), 1),
      /** An OpenAI-compatible API, with its version: https://api.openai.com/v1. Without it there are no transcripts but those that callers give. */
      SPEECH_TO_TEXT_URL: setting.url().optional(),
      SPEECH_TO_TEXT_KEY: z.string().default(''),
      SPEECH_TO_TEXT_MODEL: z.string().default('whisper-1'),
      /** Of one file: room for the longest videos that platforms take. */
      UPLOAD_MAX_BYTES: setting.integer(5 * 1024 * MIB, 1),
      /** With it blobs are kept on S3, or on what speaks its protocol; without it, in GridFS. */
      S3_BUCKET: z.string().optional(),
      /** Of a service other than Amazon's. */
      S3_ENDPOINT: setting.url().optional(),
      S3_REGION: z.string().default('us-east-1'),
      /** Both or none: without them the role of the machine counts. */
      S3_ACCESS_KEY_ID: z.string().optional(),
      S3_SECRET_ACCESS_KEY: z.string().optional(),
      /** Platforms pull from the bucket itself, by URLs that expire, which answer GET but not HEAD. */
      S3_PRESIGN: z.enum(['true', 'false']).default('false'),
      /** While blobs move to S3: those that are not there yet are read from where they were. */
      BLOBS_FALLBACK: z.enum(['grid-fs']).optional(),
      /** Where files wait until they are known to be media: room for several of the largest. */
      SPOOL_DIRECTORY: z.string().default(os.tmpdir()),
    },
    env,
    [s3Problems, baseUrlProblems, callProblems, kafkaProblems],
  );
  const s3 = s3Settings(read);
  return {
    logLevel: read.LOG_LEVEL,
    peerTls: peerTlsSettings(read),
    reflection: read.GRPC_REFLECTION === 'true',
    adminAddress: read.ADMIN_ADDRESS,
    grpcAddress: read.GRPC_ADDRESS,
    httpAddress: read.HTTP_ADDRESS,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: kafkaSettings(read, 'library'),
    urls: { publicBaseUrl: read.PUBLIC_BASE_URL, internalBaseUrl: read.INTERNAL_BASE_URL, keys: read.MEDIA_URL_SECRET },
    blobs: { s3, presign: read.S3_PRESIGN === 'true', fallback: read.BLOBS_FALLBACK },
    spoolDirectory: read.SPOOL_DIRECTORY,
    fetchAllowedOrigins: read.FETCH_ALLOWED_ORIGINS,
    uploadMaxBytes: read.UPLOAD_MAX_BYTES,
    workers: {
      backgroundProcesses: read.MEDIA_PROCESSES,
      path: read.PATH,
      mustBeConfined: isProduction(env) && read.DECODERS_UNCONFINED === 'false',
      backgroundPriority: os.constants.priority.PRIORITY_BELOW_NORMAL,
      leaseMs: 30_000,
      retryMs: 2_000,
    },
    speechToText:
      read.SPEECH_TO_TEXT_URL === undefined
        ? undefined
        : {
            url: read.SPEECH_TO_TEXT_URL,
            key: read.SPEECH_TO_TEXT_KEY,
            model: read.SPEECH_TO_TEXT_MODEL,
            timeoutMs: 5 * 60_000,
            leaseMs: 60_000,
            retryMs: 5_000,
          },
    /** What one URL in a request may cost. */
    fetch: { maxBytes: 50 * MIB, timeoutMs: 25_000 },
    /** What one URL may cost in the background, for each attempt. `timeScale` shortens pauses and leases; tests set it. */
    intakes: { maxBytes: read.FETCH_MAX_BYTES, timeoutMs: 2 * 60 * 60_000, timeScale: 1 },
  };
}

interface S3Env {
  S3_BUCKET?: string | undefined;
  S3_ENDPOINT?: string | undefined;
  S3_REGION: string;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  S3_PRESIGN: string;
  BLOBS_FALLBACK?: string | undefined;
}

function s3Problems(read: S3Env): string[] {
  const isHalf = (read.S3_ACCESS_KEY_ID === undefined) !== (read.S3_SECRET_ACCESS_KEY === undefined);
  const needsBucket = read.S3_PRESIGN === 'true' || read.BLOBS_FALLBACK !== undefined;
  return [
    ...(isHalf ? ['S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both or neither'] : []),
    ...(needsBucket && read.S3_BUCKET === undefined ? ['S3_BUCKET: is required by S3_PRESIGN and BLOBS_FALLBACK'] : []),
  ];
}

function s3Settings(read: S3Env): S3Settings | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = read;
  if (bucket === undefined) return undefined;
  const credentials = accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey };
  return { bucket, endpoint: read.S3_ENDPOINT, region: read.S3_REGION, credentials };
}

/** The bytes' port is ours alone, like the other. */
function callProblems(
  read: Parameters<typeof peerTlsProblems>[0] & { GRPC_ADDRESS: string; HTTP_ADDRESS: string; INTERNAL_BASE_URL: string },
): string[] {
  const { GRPC_ADDRESS, HTTP_ADDRESS, INTERNAL_BASE_URL } = read;
  return peerTlsProblems(read, { listening: { GRPC_ADDRESS, HTTP_ADDRESS }, calling: { INTERNAL_BASE_URL } });
}

function baseUrlProblems(read: { INTERNAL_BASE_URL: string; TLS_CERT_FILE?: string | undefined }): string[] {
  const isSecure = read.INTERNAL_BASE_URL.startsWith('https:');
  return isSecure === (read.TLS_CERT_FILE !== undefined)
    ? []
    : ['INTERNAL_BASE_URL: must be https with TLS_CERT_FILE, and http without it'];
}

import os from 'node:os';
import { mongoProblems } from '@fanfare/mongo';
import {
  clearTextProblems,
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
      /** For uploads and downloads by the gateway. Must not be public. */
      HTTP_ADDRESS: setting.address('127.0.0.1:4422'),
      /** Base of media URLs for clients and platforms: the gateway's address. */
      PUBLIC_BASE_URL: publicAddress(setting.url()),
      /** Base of media URLs for our own services: this process's HTTP address. */
      INTERNAL_BASE_URL: setting.url(),
      /** `id:base64,…`, at least 32 bytes each. The first key signs, all keys verify. */
      MEDIA_URL_SECRET: inProduction(
        z.string().transform((text, problems) => {
          const keys = parseSigningKeys(text);
          if (keys) return keys;
          problems.addIssue({ code: 'custom', message: 'must be id:base64 with keys of at least 32 bytes' });
          return z.NEVER;
        }),
        (keys) => ([...keys.values()].some(isGuessable) ? 'has a key that can be guessed, such as all zeros' : undefined),
      ),
      /** Origins that may be fetched from although they are not public: the sandbox, a test server. */
      FETCH_ALLOWED_ORIGINS: developmentOnly(setting.origins()),
      /** The largest file that is imported from a URL in the background. */
      FETCH_MAX_BYTES: setting.integer(5 * GIB, 1),
      /** Where to find ffmpeg and ffprobe. */
      PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
      /** Lets production start on a machine that does not permit limits and network isolation for decoders. */
      DECODERS_UNCONFINED: z.enum(['true', 'false']).default('false'),
      /** The number of processes that convert media in the background. */
      MEDIA_PROCESSES: setting.integer(Math.max(1, os.availableParallelism() - 1), 1),
      /** An OpenAI-compatible API, with its version: https://api.openai.com/v1. Without it there are no automatic transcripts. */
      SPEECH_TO_TEXT_URL: setting.url().optional(),
      SPEECH_TO_TEXT_KEY: setting.secret(),
      SPEECH_TO_TEXT_MODEL: z.string().default('whisper-1'),
      /** The largest uploaded file. Enough for the longest videos that platforms accept. */
      UPLOAD_MAX_BYTES: setting.integer(5 * 1024 * MIB, 1),
      /** Stores blobs on S3 or an S3-compatible service. Without it, blobs are stored in GridFS. */
      // Old buckets have capital letters and underscores.
      S3_BUCKET: z
        .string()
        .regex(/^[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9]$/, 'must have 3 to 63 letters, digits, dots, dashes and underscores')
        .optional(),
      /** URL of an S3-compatible service, https unless it is on this machine; default: Amazon S3. */
      S3_ENDPOINT: setting.url().optional(),
      S3_REGION: z
        .string()
        .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a region, such as eu-central-1')
        .default('us-east-1'),
      /** Set both keys or neither: without them, the role of the machine is used. */
      S3_ACCESS_KEY_ID: z.string().optional(),
      S3_SECRET_ACCESS_KEY: z.string().optional(),
      /** Platforms download from the bucket, by signed URLs that support GET but not HEAD. */
      S3_PRESIGN: z.enum(['true', 'false']).default('false'),
      /** While blobs are moved to S3: reads those that are not there yet from this store. */
      BLOBS_FALLBACK: z.enum(['grid-fs']).optional(),
      /** For files that are being probed or converted. Needs space for several of the largest files. */
      SPOOL_DIRECTORY: z.string().default(os.tmpdir()),
    },
    env,
    [
      ...[s3Problems, baseUrlProblems, callProblems, mongoProblems, kafkaProblems],
      (read, mode) => {
        const { S3_ENDPOINT, SPEECH_TO_TEXT_URL } = read;
        return clearTextProblems({ S3_ENDPOINT, SPEECH_TO_TEXT_URL }, read, mode);
      },
    ],
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
    /** How often uploads are looked for whose process died, or whose rest never came. */
    resumableSweepMs: 15_000,
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
    /** Limits of a URL that is imported within a request. */
    fetch: { maxBytes: 50 * MIB, timeoutMs: 25_000 },
    /** Limits of each attempt to import a URL in the background. Tests set `timeScale` to shorten pauses and leases. */
    /** After this time an HTTP connection ends with its next response: those of a CA that was replaced end, as those of gRPC do. Tests shorten it. */
    maxConnectionAgeMs: 60_000,
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

/** Checks the TLS settings of both ports: neither may be public. */
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

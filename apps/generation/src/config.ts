import os from 'node:os';
import { mongoProblems } from '@fanfare/mongo';
import {
  clearTextProblems,
  developmentOnly,
  kafkaEnv,
  kafkaProblems,
  kafkaSettings,
  mongoEnv,
  peerTlsProblems,
  peerTlsSettings,
  processEnv,
  readEnv,
  rpcEnv,
  setting,
} from '@fanfare/runtime';
import { z } from 'zod';

export type Config = ReturnType<typeof loadConfig>;

const price = z.coerce.number().nonnegative().optional();

export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const read = readEnv(
    {
      ...processEnv,
      ...rpcEnv(['gateway', 'content']),
      ...mongoEnv('fanfare_generation'),
      ...kafkaEnv,
      GRPC_ADDRESS: setting.address('127.0.0.1:4451'),
      CONTENT_ADDRESS: setting.address('127.0.0.1:4411'),
      LIBRARY_ADDRESS: setting.address('127.0.0.1:4421'),
      /** The library's HTTP port, for uploads and downloads. */
      LIBRARY_HTTP_URL: setting.url(),
      /** Origins that are not public but may be fetched from: the sandbox, a test's server. */
      FETCH_ALLOWED_ORIGINS: developmentOnly(setting.origins()),
      /** An OpenAI-compatible API, with its version: https://api.openai.com/v1. Without it the embedded composer is used. */
      LANGUAGE_MODEL_URL: setting.url().optional(),
      LANGUAGE_MODEL_KEY: setting.secret(),
      LANGUAGE_MODEL: z.string().default('gpt-5-mini'),
      /** Input and output tokens together, after which a job calls the model no more. */
      LANGUAGE_MODEL_TOKENS_PER_JOB: setting.integer(200_000, 1),
      /** US dollars per million input and output tokens. If both are set, jobs report their cost. */
      LANGUAGE_MODEL_INPUT_PRICE: price,
      LANGUAGE_MODEL_OUTPUT_PRICE: price,
      /** An OpenAI-compatible API that makes images. Without it the format `ai-image` is rejected. */
      IMAGE_MODEL_URL: setting.url().optional(),
      IMAGE_MODEL_KEY: setting.secret(),
      IMAGE_MODEL: z.string().default('gpt-image-1'),
      /** An OpenAI-compatible API that makes videos. Without it the format `ai-video` is rejected. */
      VIDEO_MODEL_URL: setting.url().optional(),
      VIDEO_MODEL_KEY: setting.secret(),
      VIDEO_MODEL: z.string().default('sora-2'),
      /** A Pexels-compatible API of stock photos. Without it images come only from the business's library. */
      STOCK_PHOTOS_URL: setting.url().optional(),
      STOCK_PHOTOS_KEY: setting.secret(),
      /** Jobs that one process runs at the same time. */
      JOBS_AT_ONCE: setting.integer(4, 0),
      /** Render threads. A busy one uses about 100 MB and renders about ten pages per second. */
      RENDER_THREADS: setting.integer(1, 1),
      /** Directories to search for ffmpeg. */
      PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
      /** Directory for the temporary files of clips. */
      SPOOL_DIRECTORY: z.string().default(os.tmpdir()),
    },
    env,
    [
      (read) =>
        peerTlsProblems(read, {
          listening: { GRPC_ADDRESS: read.GRPC_ADDRESS },
          calling: {
            CONTENT_ADDRESS: read.CONTENT_ADDRESS,
            LIBRARY_ADDRESS: read.LIBRARY_ADDRESS,
            LIBRARY_HTTP_URL: read.LIBRARY_HTTP_URL,
          },
        }),
      mongoProblems,
      kafkaProblems,
      (read, mode) => {
        const { LANGUAGE_MODEL_URL, IMAGE_MODEL_URL, VIDEO_MODEL_URL, STOCK_PHOTOS_URL } = read;
        return clearTextProblems({ LANGUAGE_MODEL_URL, IMAGE_MODEL_URL, VIDEO_MODEL_URL, STOCK_PHOTOS_URL }, read, mode);
      },
    ],
  );
  const model = (url: string | undefined, key: string, name: string, timeoutMs: number) =>
    url === undefined ? undefined : { url, key, model: name, timeoutMs };
  return {
    logLevel: read.LOG_LEVEL,
    peerTls: peerTlsSettings(read),
    reflection: read.GRPC_REFLECTION === 'true',
    adminAddress: read.ADMIN_ADDRESS,
    grpcAddress: read.GRPC_ADDRESS,
    contentAddress: read.CONTENT_ADDRESS,
    libraryAddress: read.LIBRARY_ADDRESS,
    libraryHttpUrl: read.LIBRARY_HTTP_URL,
    mongo: { url: read.MONGODB_URL, database: read.MONGODB_DATABASE },
    kafka: kafkaSettings(read, 'generation'),
    fetchAllowedOrigins: read.FETCH_ALLOWED_ORIGINS,
    languageModel: model(read.LANGUAGE_MODEL_URL, read.LANGUAGE_MODEL_KEY, read.LANGUAGE_MODEL, 60_000),
    prices: { input: read.LANGUAGE_MODEL_INPUT_PRICE, output: read.LANGUAGE_MODEL_OUTPUT_PRICE },
    imageModel: model(read.IMAGE_MODEL_URL, read.IMAGE_MODEL_KEY, read.IMAGE_MODEL, 120_000),
    videoModel: model(read.VIDEO_MODEL_URL, read.VIDEO_MODEL_KEY, read.VIDEO_MODEL, 120_000),
    stockPhotos:
      read.STOCK_PHOTOS_URL === undefined ? undefined : { url: read.STOCK_PHOTOS_URL, key: read.STOCK_PHOTOS_KEY, timeoutMs: 15_000 },
    jobs: {
      atOnce: read.JOBS_AT_ONCE,
      leaseMs: 30_000,
      retryMs: 1_000,
      maxDelayMs: 60_000,
      attempts: 8,
      pollMs: 5_000,
      maxTokens: read.LANGUAGE_MODEL_TOKENS_PER_JOB,
    },
    rendering: {
      threads: read.RENDER_THREADS,
      queue: 128,
      path: read.PATH,
      spoolDirectory: read.SPOOL_DIRECTORY,
      // A page takes a fraction of a second of CPU. The threads have a lower priority than calls, so on a busy machine it waits.
      timeLimitMs: 60_000,
    },
    /** How long unused media files are kept before they are deleted. Tests shorten it. */
    uploads: { keptMs: 6 * 3_600_000, retiredMs: 10 * 60_000, retryMs: 30_000 },
  };
}

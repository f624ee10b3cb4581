import { open, rm, type FileHandle } from 'node:fs/promises';
import type { FetchedResponse, Resume } from './fetched-response.ts';
import { FetchRefused } from './fetch-refused.ts';
import type { FetchOptions, GuardedClient } from './guarded-client.ts';

export interface DownloadOptions extends Omit<FetchOptions, 'resume'> {
  /** Where the bytes go; must not exist yet. */
  readonly toFile: string;
}

export interface Download {
  /** The URL that answered, after redirects. */
  readonly finalUrl: string;
  /** As the server claims; not checked against the bytes. */
  readonly contentType: string | undefined;
  readonly sizeBytes: number;
}

/** How often a connection that broke is made up for, once something has come. */
const MAX_RESUMPTIONS = 3;

export async function download(
  client: Pick<GuardedClient, 'fetch'>,
  url: string,
  { toFile, timeoutMs, ...options }: DownloadOptions,
): Promise<Download> {
  const end = performance.now() + timeoutMs;
  const file = await open(toFile, 'wx', 0o600);
  let resume: Resume | undefined;
  try {
    for (let left = MAX_RESUMPTIONS; ; left--) {
      const remainingMs = Math.max(1, end - performance.now());
      let written = 0;
      try {
        return await client.fetch(url, { ...options, timeoutMs: remainingMs, ...(resume && { resume }) }, async (response) => {
          written = response.offset;
          // Of what was there nothing stays: another version, or a server that cannot go on.
          if (response.offset === 0) await file.truncate(0);
          resume = undefined;
          for await (const chunk of response.body) {
            await writeAll(file, chunk, written);
            written += chunk.length;
            resume = resumeAt(written, response);
          }
          return { finalUrl: response.finalUrl, contentType: response.contentType, sizeBytes: written };
        });
      } catch (error) {
        // It has responded before: what is left of it is late.
        if (left < MAX_RESUMPTIONS && error instanceof FetchRefused && error.reason === 'no_answer')
          throw new FetchRefused('timeout', error);
        const isBroken = error instanceof FetchRefused && BROKEN.has(error.reason);
        if (!isBroken || left === 0 || written === 0) throw error;
      }
    }
  } catch (error) {
    await rm(toFile, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const BROKEN: ReadonlySet<string> = new Set(['unreachable', 'incomplete', 'changed']);

function resumeAt(offset: number, { validator }: FetchedResponse): Resume | undefined {
  return validator === undefined ? undefined : { offset, validator };
}

async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, at, chunk.length - at, position + at);
    at += bytesWritten;
  }
}

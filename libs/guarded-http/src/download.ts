import { open, rm, type FileHandle } from 'node:fs/promises';
import type { FetchedResponse, Resume } from './fetched-response.ts';
import { FetchError } from './fetch-error.ts';
import type { FetchOptions, GuardedClient } from './guarded-client.ts';

export interface DownloadOptions extends Omit<FetchOptions, 'resume'> {
  /** The file to write. It must not exist yet. */
  readonly toFile: string;
}

export interface Download {
  /** The URL of the response, after redirects. */
  readonly finalUrl: string;
  /** As the server declares it; not checked against the bytes. */
  readonly contentType: string | undefined;
  readonly sizeBytes: number;
}

/** The most times that a download is resumed after its connection broke. */
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
          // Starts over: the file has changed, or the server does not support ranges.
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
        // The server has responded before, so the download as a whole timed out.
        if (left < MAX_RESUMPTIONS && error instanceof FetchError && error.reason === 'no_response') throw new FetchError('timeout', error);
        const isBroken = error instanceof FetchError && BROKEN.has(error.reason);
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

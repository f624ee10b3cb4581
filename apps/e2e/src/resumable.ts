import { Upload, type UploadOptions } from 'tus-js-client';

export interface ResumableOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Of an upload that was begun before. */
  readonly uploadUrl?: string;
  readonly retryDelays?: number[];
  /** Of each request; without it, all goes in one. What a request before brought is kept for certain. */
  readonly bytesPerRequest?: number;
  readonly onSent?: (sentBytes: number) => void;
}

export interface Resumable {
  /** Resolves with the id of the media when the last byte was taken. */
  readonly done: Promise<string>;
  /** Where it can be resumed, once it was created. */
  url(): string;
}

/** Uploads with the client that customers use, which needs to be told no more than where, what, and who asks. */
export function sendResumably(
  bytes: Buffer,
  { baseUrl, apiKey, metadata, uploadUrl, retryDelays = [], bytesPerRequest, onSent }: ResumableOptions,
): Resumable {
  let mediaId = '';
  let upload: Upload | undefined;
  const done = new Promise<string>((resolve, reject) => {
    const options: UploadOptions = {
      endpoint: `${baseUrl}/api/media/uploads`,
      headers: { authorization: `Bearer ${apiKey}` },
      metadata,
      retryDelays,
      ...(uploadUrl !== undefined && { uploadUrl }),
      ...(bytesPerRequest !== undefined && { chunkSize: bytesPerRequest }),
      onProgress: (sent) => onSent?.(sent),
      onAfterResponse: (_request, response) => {
        mediaId = response.getHeader('Fanfare-Media-Id') ?? mediaId;
      },
      onError: reject,
      onSuccess: () => resolve(mediaId),
    };
    upload = new Upload(bytes, options);
    upload.start();
  });
  return { done, url: () => upload?.url ?? '' };
}

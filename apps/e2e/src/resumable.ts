import { Upload, type UploadOptions } from 'tus-js-client';

export interface ResumableOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Of an upload that was started before. */
  readonly uploadUrl?: string;
  readonly retryDelays?: number[];
  /** The bytes per request; by default one request sends everything. Bytes of completed requests are stored for certain. */
  readonly bytesPerRequest?: number;
  readonly onSent?: (sentBytes: number) => void;
}

export interface Resumable {
  /** Resolves with the id of the media when the last byte was accepted. */
  readonly done: Promise<string>;
  /** The URL to resume it, once it was created. */
  url(): string;
}

/** Uploads with the tus client that customers use, which needs only the URL, the file and the credential. */
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

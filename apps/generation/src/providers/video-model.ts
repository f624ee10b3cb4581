import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@fanfare/runtime';
import type { AspectRatio } from '../templates/template.ts';
import { createOpenAi, type ModelSettings } from './openai-client.ts';
import { ProviderFailed } from './provider-failed.ts';

interface VideoPrompt {
  readonly prompt: string;
  readonly ratio: AspectRatio;
  readonly seconds: 4 | 8 | 12;
}

type VideoStatus = { readonly state: 'working' | 'completed' } | { readonly state: 'failed'; readonly message: string };

/** Makes videos from a description. This takes minutes: callers poll until the video is complete. */
export interface VideoModel {
  /** @returns the provider's id of the video @throws ProviderFailed */
  start(prompt: VideoPrompt, signal: AbortSignal): Promise<string>;
  /** @throws ProviderFailed */
  status(id: string, signal: AbortSignal): Promise<VideoStatus>;
  /** Writes the video to a new file. @throws ProviderFailed */
  download(id: string, toFile: string, signal: AbortSignal): Promise<void>;
}

const MAX_BYTES = 500 << 20;
const WHO = 'The video model';

/** The sizes of the API; the nearest one is used. */
const SIZES = { '1:1': '720x1280', '4:5': '720x1280', '9:16': '720x1280', '16:9': '1280x720' } as const satisfies Record<
  AspectRatio,
  string
>;

/** `POST /videos`, `GET /videos/{id}` and `GET /videos/{id}/content` of the OpenAI API. */
export function createVideoModel(settings: ModelSettings, log: Logger): VideoModel {
  const openai = createOpenAi('video-model', WHO, settings, log);
  return {
    start: ({ prompt, ratio, seconds }, signal) =>
      openai.call(async (client, options) => {
        const model = settings.model as 'sora-2';
        const { id }: { id?: string } = await client.videos.create(
          { model, prompt: prompt.slice(0, 4_000), size: SIZES[ratio], seconds: String(seconds) as '8' },
          options,
        );
        if (!id) throw new ProviderFailed(`${WHO} returned an unexpected response.`, { isPassing: true });
        return id;
      }, signal),
    status: (id, signal) =>
      openai.call(async (client, options): Promise<VideoStatus> => {
        const { status, error } = await client.videos.retrieve(id, options);
        if (status === 'failed') return { state: 'failed', message: (error?.message ?? 'no reason was given.').slice(0, 300) };
        return { state: status === 'completed' ? 'completed' : 'working' };
      }, signal),
    download: (id, toFile, signal) =>
      openai.call(async (client, options) => {
        const { body } = await client.videos.downloadContent(id, {}, options);
        if (!body) throw new ProviderFailed(`${WHO} returned no video.`, { isPassing: true });
        let bytes = 0;
        await pipeline(
          Readable.fromWeb(body as never),
          async function* (parts: AsyncIterable<Buffer>) {
            for await (const part of parts) {
              bytes += part.length;
              if (bytes > MAX_BYTES) throw new ProviderFailed(`${WHO} returned a video of more than 500 MiB.`, { isPassing: false });
              yield part;
            }
          },
          createWriteStream(toFile, { mode: 0o600 }),
          options,
        );
      }, signal),
  };
}

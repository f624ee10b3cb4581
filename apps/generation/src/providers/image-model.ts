import type { Logger } from '@fanfare/runtime';
import type { AspectRatio } from '../templates/template.ts';
import { createOpenAi, type ModelSettings } from './openai-client.ts';
import { ProviderFailed } from './provider-failed.ts';

interface ImagePrompt {
  readonly idea: string;
  /** design, photo, infographic or meme; null means a photo. */
  readonly type: string | null;
  /** Visual style, such as isometric. */
  readonly style: string | null;
  readonly ratio: AspectRatio;
}

/** Makes images from a description. */
export interface ImageModel {
  /** @throws ProviderFailed */
  create(prompt: ImagePrompt, signal: AbortSignal): Promise<Uint8Array>;
}

const MAX_BASE64 = 40 << 20;
const WHO = 'The image model';

/** The sizes of the API; the nearest one is used. */
const SIZES = { '1:1': '1024x1024', '4:5': '1024x1536', '9:16': '1024x1536', '16:9': '1536x1024' } as const satisfies Record<
  AspectRatio,
  string
>;

const TYPES: Readonly<Record<string, string>> = {
  design: 'A flat graphic design for a social media post, with plain shapes and no text',
  photo: 'A natural photograph, without text',
  infographic: 'A simple infographic with icons and few words',
  meme: 'A humorous image that could be a meme, without text',
};

/** `POST /images/generations` of the OpenAI API. */
export function createImageModel(settings: ModelSettings, log: Logger): ImageModel {
  const openai = createOpenAi('image-model', WHO, settings, log);
  return {
    create: ({ idea, type, style, ratio }, signal) =>
      openai.call(async (client, options) => {
        const kind = TYPES[type ?? 'photo'] ?? TYPES['photo'];
        const prompt = [`${kind}.`, style === null ? '' : `Style: ${style}.`, `Subject: ${idea}`].join(' ').slice(0, 4_000);
        const { data } = await client.images.generate({ model: settings.model, prompt, n: 1, size: SIZES[ratio] }, options);
        const base64 = data?.[0]?.b64_json;
        if (!base64 || base64.length > MAX_BASE64) throw new ProviderFailed(`${WHO} returned no image.`, { isPassing: true });
        return Buffer.from(base64, 'base64');
      }, signal),
  };
}

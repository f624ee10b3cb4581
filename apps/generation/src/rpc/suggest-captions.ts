import { countFor } from '../writing/fit-platforms.ts';
import { suggestCaptions as suggest } from '../writing/suggest-captions.ts';
import type { Rpc } from './rpc.ts';

export const suggestCaptions: Rpc<'suggestCaptions'> =
  (context) =>
  async (request, { metadata }) => {
    const { platform, captions } = await suggest(context, request, metadata);
    return {
      composer: context.composer.name,
      captions: captions.map((caption) => ({
        caption,
        characters: countFor(platform, caption),
        hashtags: [...caption.matchAll(/(?<![\p{L}\p{N}_])#([\p{L}\p{M}\p{N}_]+)/gu)].map(([, tag = '']) => tag),
      })),
    };
  };

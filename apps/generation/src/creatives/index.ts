import type { CreativeFormat } from '../formats.ts';
import { aiImage } from './ai-image.ts';
import { aiVideo } from './ai-video.ts';
import { clip } from './clip.ts';
import type { Creative } from './creative.ts';
import { drawn } from './drawn.ts';
import { image } from './image.ts';

/** The creative of each format. */
export const CREATIVES = {
  design: drawn,
  carousel: drawn,
  meme: drawn,
  image,
  gif: clip,
  video: clip,
  'ai-image': aiImage,
  'ai-video': aiVideo,
} as const satisfies Record<CreativeFormat, Creative>;

/** Whether this process renders a format; the others wait for the library or a provider. */
export const isRendered = (format: CreativeFormat): boolean => CREATIVES[format] === drawn || CREATIVES[format] === clip;

import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { derivedId } from '@fanfare/runtime';
import { asDomainError, ordersFor } from '../designs/draw-design.ts';
import { storeMedia } from '../media/store-media.ts';
import { mediaOperation, type Creative } from './creative.ts';
import { contentFor, fontWarning } from './drawn.ts';

const SECONDS_PER_PAGE = { gif: 2, video: 3 } as const;
/** A video of fifteen seconds. */
const MOST_PAGES = 5;

/** Slides with motion, as a GIF or as a video with a cover. */
export const clip: Creative = async (context, order) => {
  const { jobId, draft, copy, brief, metadata, signal } = order;
  const kind = draft.format === 'gif' ? 'gif' : 'video';
  const few = { ...order, copy: { ...copy, pages: fewer(copy.pages) } };
  const { content, keyword } = await contentFor(context, few, 'carousel');
  const owner = { businessName: brief.businessName, language: draft.language ?? brief.language };
  const { orders: pages, look } = await ordersFor(context, content, owner, metadata, signal);
  const directory = await mkdtemp(path.join(context.config.rendering.spoolDirectory, 'clip-'));
  try {
    const rendered = await context.renderer
      .clip({ kind, pages, look, secondsPerPage: SECONDS_PER_PAGE[kind] }, directory, signal)
      .catch((error: unknown) => Promise.reject(asDomainError(error, 1) as Error));
    const idOf = (name: string) => derivedId(jobId, mediaOperation(draft, name));
    const { altText } = copy;
    const file = { id: idOf('clip'), bytes: { file: rendered.file }, fileName: kind === 'gif' ? 'slides.gif' : 'slides.mp4', altText };
    const media = await storeMedia(context, file, metadata, signal);
    const cover =
      kind === 'video'
        ? await storeMedia(context, { id: idOf('cover'), bytes: rendered.cover, fileName: 'cover.png', altText }, metadata, signal)
        : undefined;
    const { contrast } = rendered;
    const warning = fontWarning(content, owner.language);
    return {
      made: {
        media: [media],
        ...(cover && { cover }),
        image_keyword: keyword,
        ...(contrast !== undefined && { contrast }),
        ...(warning !== undefined && { warning }),
      },
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** The first pages and the last one. */
const fewer = <T>(pages: readonly T[]): T[] =>
  pages.length <= MOST_PAGES ? [...pages] : [...pages.slice(0, MOST_PAGES - 1), ...pages.slice(-1)];

import { checkOptions } from '../checks/check-options.ts';
import type { Content, ContentMedia, MainStep, Next, Options, Published, State } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { requiredAt } from '../calls/fields.ts';
import { refetching } from '../calls/refetching.ts';
import { isUnfetched, namingTheBoard, withFirstAlone } from './errors.ts';
import { limits } from './limits.ts';
import { options } from './options.ts';
import { pinterestCall } from './pinterest-call.ts';
import { done, type Progress, readProgress } from './progress.ts';
import { uploadStep } from './upload.ts';

/** Pinterest's flow (platform reference 6.2): a video is uploaded and processed first; Pinterest fetches images while it creates the pin. */
export function next(content: Content, state: State): Next {
  const progress = readProgress(state);
  if (progress.pinId !== undefined) return { published: published(progress, progress.pinId) };
  const [wrong] = checkOptions({ options, limits }, content.options);
  const board = wrong ? undefined : boardOf(content.options);
  if (!board) return { step: rejected(`${wrong?.field}: ${wrong?.message}`) };
  const [first] = content.media;
  if (!first) return { step: rejected('A pin requires an image or a video.') };
  const upload = first.type === 'video' ? uploadStep(first, progress) : undefined;
  return { step: upload ?? createPin(content, first, board, progress) };
}

function published({ firstAlone }: Progress, pinId: string): Published {
  return {
    publishId: pinId,
    postUrl: `https://www.pinterest.com/pin/${pinId}/`,
    ...(firstAlone !== undefined && {
      warning: `Pinterest did not accept several images in one pin. It shows only the first. (${firstAlone})`,
    }),
  };
}

export interface Board {
  readonly board_id: string;
  readonly board_section_id?: string | undefined;
}

/** The board of the pin, or undefined if none is set. */
export function boardOf(given: Options | undefined): Board | undefined {
  const { board_id, board_section_id } = options.parse(given ?? {});
  return board_id === undefined ? undefined : { board_id, board_section_id };
}

function rejected(message: string): MainStep {
  return {
    name: 'check_pin',
    kind: 'prepare',
    run: () => Promise.reject(new PlatformFailure('validation', message, { effect: 'not_sent' })),
  };
}

function createPin(content: Content, first: ContentMedia, board: Board, progress: Progress): MainStep {
  const { caption, title, link } = content;
  // JSON omits undefined members.
  const json = {
    ...board,
    title: title || undefined,
    description: caption || undefined,
    link: link || undefined,
    alt_text: first.altText || undefined,
    media_source: mediaSource(content, first, progress),
  };
  return {
    name: 'create_pin',
    kind: 'commit',
    run: (call) => {
      const create = async () => {
        const pin = await pinterestCall(call, { method: 'POST', path: '/pins', body: { json }, commit: true });
        return done({ ...progress, pinId: requiredAt(pin, 'id') });
      };
      const isCarousel = json.media_source.source_type === CAROUSEL;
      return namingTheBoard(() => refetching(progress, isUnfetched, () => (isCarousel ? withFirstAlone(progress, create) : create())));
    },
  };
}

const CAROUSEL = 'multiple_image_urls';

function mediaSource({ media, cover }: Content, first: ContentMedia, { mediaId, firstAlone }: Progress) {
  if (first.type === 'image') {
    return media.length === 1 || firstAlone !== undefined
      ? { source_type: 'image_url', url: first.publicUrl }
      : { source_type: CAROUSEL, items: media.map(({ publicUrl: url }) => ({ url })) };
  }
  // A video requires a cover; by default the first frame.
  const coverImage = cover ? { cover_image_url: cover.publicUrl } : { cover_image_key_frame_time: 0 };
  return { source_type: 'video_id', media_id: mediaId, ...coverImage };
}

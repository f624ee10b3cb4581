import type { Content, ContentMedia, MainStep, StepResult } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { requiredAt, stringAt } from '../calls/fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { containerFailure, rebuilding, rules } from './errors.ts';
import { poll } from './limits.ts';
import { type InstagramOptions, options } from './options.ts';
import { done, fresh, isCarousel, type Progress } from './progress.ts';

/** A carousel's item. */
export function createChild({ media, options: given }: Content, progress: Progress): MainStep {
  const children = progress.children ?? [];
  const item = media[children.length];
  const { user_tags } = options.parse(given ?? {});
  const form = { ...(item && sourceOf(item, 'VIDEO')), ...tags(user_tags, children.length), is_carousel_item: 'true' };
  return create('create_child', progress, form, (id) => ({ ...progress, children: [...children, id] }));
}

/** The post itself: a story, an image, a reel (every single video is one) or the carousel of the children. */
export function createContainer(content: Content, progress: Progress): MainStep {
  return create('create_container', progress, formOf(content, progress), (container) => ({ ...progress, container, polls: 0 }));
}

function formOf(content: Content, progress: Progress): Record<string, string> {
  const { caption, media } = content;
  const [first] = media;
  const given = options.parse(content.options ?? {});
  const { collaborators = [], location_id, is_ai_generated } = given;
  const label = is_ai_generated !== undefined && { is_ai_generated: String(is_ai_generated) };
  if (given.kind === 'story')
    return { ...(first && sourceOf(first, 'STORIES')), media_type: 'STORIES', ...tags(given.user_tags, 0), ...label };
  const source = isCarousel(content)
    ? { media_type: 'CAROUSEL', children: (progress.children ?? []).join(',') }
    : { ...(first && sourceOf(first, 'REELS')), ...tags(given.user_tags, 0), ...(first?.type === 'video' && reelFields(content, given)) };
  return {
    ...source,
    ...(collaborators.length > 0 && { collaborators: JSON.stringify(collaborators.map(plain)) }),
    ...(location_id !== undefined && { location_id }),
    ...label,
    caption,
  };
}

function reelFields(
  { cover }: Content,
  { share_to_feed, thumb_offset, audio_name, trial_params }: InstagramOptions,
): Record<string, string> {
  const coverFields = cover ? { cover_url: cover.publicUrl } : thumb_offset !== undefined && { thumb_offset: String(thumb_offset) };
  return {
    ...coverFields,
    ...(share_to_feed !== undefined && { share_to_feed: String(share_to_feed) }),
    ...(audio_name !== undefined && { audio_name }),
    ...(trial_params && { trial_params: JSON.stringify(trial_params) }),
  };
}

/** People who are tagged in one of the media. */
function tags(all: InstagramOptions['user_tags'], index: number): { user_tags?: string } {
  const own = (all ?? []).filter(({ media_index = 0 }) => media_index === index);
  if (own.length === 0) return {};
  return {
    user_tags: JSON.stringify(
      own.map(({ username, x, y }) => ({ username: plain(username), ...(x !== undefined && { x }), ...(y !== undefined && { y }) })),
    ),
  };
}

const plain = (username: string) => username.replace(/^@/, '');

/** Waits for a container: a carousel's next child, or the post's own. */
export function awaitContainer(content: Content, progress: Progress, id: string): MainStep {
  const own = progress.container === id;
  return {
    name: own ? 'await_container' : 'await_child',
    kind: 'prepare',
    async run(call) {
      const response = await graphCall(call, { method: 'GET', path: `/${id}`, query: { fields: 'status_code,status' } }, rules);
      const status = stringAt(response, 'status') ?? '';
      switch (stringAt(response, 'status_code')) {
        case 'FINISHED':
          return done(own ? { ...progress, ready: true } : { ...progress, childrenReady: (progress.childrenReady ?? 0) + 1, polls: 0 });
        case 'EXPIRED':
          throw containerFailure('The container has expired (2207020).', fresh(progress));
        case 'ERROR':
          throw containerFailure(status || 'Instagram could not process the media.', fresh(progress));
        case 'PUBLISHED':
          throw new PlatformFailure('duplicate', 'This post is already published.', { effect: 'rejected' });
        default:
          return pollAgain(content, progress);
      }
    },
  };
}

function create(name: string, progress: Progress, form: Record<string, string>, after: (id: string) => Progress): MainStep {
  return {
    name,
    kind: 'prepare',
    run: (call) =>
      rebuilding(fresh(progress), async () => {
        const response = await graphCall(call, { method: 'POST', path: `/${call.account.accountId}/media`, body: { form } }, rules);
        return done(after(requiredAt(response, 'id')));
      }),
  };
}

function sourceOf({ type, publicUrl, altText }: ContentMedia, videoType: 'REELS' | 'VIDEO' | 'STORIES'): Record<string, string> {
  if (type === 'video') return { media_type: videoType, video_url: publicUrl };
  // Stories have no alt text.
  return { image_url: publicUrl, ...(altText && videoType !== 'STORIES' && { alt_text: altText }) };
}

function pollAgain({ media }: Content, progress: Progress): StepResult {
  const pace = media.some(({ type }) => type === 'video') ? poll.video : poll.image;
  const polls = (progress.polls ?? 0) + 1;
  if (polls > pace.maxPolls)
    throw new PlatformFailure('media_processing_failed', 'Instagram did not finish processing the media.', { effect: 'rejected' });
  if (polls === 1) return done({ ...progress, polls }, pace.firstMs);
  return done({ ...progress, polls }, polls <= pace.quickPolls ? pace.quickMs : pace.slowMs);
}

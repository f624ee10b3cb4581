import type { Content, ContentMedia, MainStep, StepResult } from '../connector.ts';
import { PlatformFailure } from '../failure.ts';
import { requiredAt, stringAt } from '../fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { containerFailure, rebuilding, rules } from './errors.ts';
import { poll } from './limits.ts';
import { options } from './options.ts';
import { done, fresh, isCarousel, type Progress } from './progress.ts';

/** A carousel's item. */
export function createChild({ media }: Content, progress: Progress): MainStep {
  const children = progress.children ?? [];
  const item = media[children.length];
  return create('create_child', progress, { ...(item && sourceOf(item, 'VIDEO')), is_carousel_item: 'true' }, (id) => ({
    ...progress,
    children: [...children, id],
  }));
}

/** The post itself: a picture, a reel (every single video is one) or the carousel of the children. */
export function createContainer(content: Content, progress: Progress): MainStep {
  const { caption, cover, media } = content;
  const [first] = media;
  const { collaborators = [], share_to_feed } = options.parse(content.options ?? {});
  const source = isCarousel(content)
    ? { media_type: 'CAROUSEL', children: (progress.children ?? []).join(',') }
    : { ...(first && sourceOf(first, 'REELS')), ...(first?.type === 'video' && reelFields(cover, share_to_feed)) };
  const invited = collaborators.length > 0 && { collaborators: JSON.stringify(collaborators.map((name) => name.replace(/^@/, ''))) };
  return create('create_container', progress, { ...source, ...invited, caption }, (container) => ({ ...progress, container, polls: 0 }));
}

const reelFields = (cover: ContentMedia | undefined, shareToFeed: boolean | undefined) => ({
  ...(cover && { cover_url: cover.publicUrl }),
  ...(shareToFeed !== undefined && { share_to_feed: String(shareToFeed) }),
});

/** Waits for a container: a carousel's next child, or the post's own. */
export function awaitContainer(content: Content, progress: Progress, id: string): MainStep {
  const own = progress.container === id;
  return {
    name: own ? 'await_container' : 'await_child',
    kind: 'prepare',
    async run(call) {
      const answer = await graphCall(call, { method: 'GET', path: `/${id}`, query: { fields: 'status_code,status' } }, rules);
      const status = stringAt(answer, 'status') ?? '';
      switch (stringAt(answer, 'status_code')) {
        case 'FINISHED':
          return done(own ? { ...progress, ready: true } : { ...progress, childrenReady: (progress.childrenReady ?? 0) + 1, polls: 0 });
        case 'EXPIRED':
          throw containerFailure('The container has expired (2207020).', fresh(progress));
        case 'ERROR':
          throw containerFailure(status || 'Instagram could not process the media.', fresh(progress));
        case 'PUBLISHED':
          throw new PlatformFailure('duplicate', 'This post stands already.', { effect: 'refused' });
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
        const answer = await graphCall(call, { method: 'POST', path: `/${call.account.accountId}/media`, body: { form } }, rules);
        return done(after(requiredAt(answer, 'id')));
      }),
  };
}

function sourceOf({ type, publicUrl, altText }: ContentMedia, videoType: 'REELS' | 'VIDEO'): Record<string, string> {
  if (type === 'video') return { media_type: videoType, video_url: publicUrl };
  return { image_url: publicUrl, ...(altText && { alt_text: altText }) };
}

function pollAgain({ media }: Content, progress: Progress): StepResult {
  const pace = media.some(({ type }) => type === 'video') ? poll.video : poll.image;
  const polls = (progress.polls ?? 0) + 1;
  if (polls > pace.maxPolls)
    throw new PlatformFailure('media_processing_failed', 'Instagram did not finish processing the media.', { effect: 'refused' });
  if (polls === 1) return done({ ...progress, polls }, pace.firstMs);
  return done({ ...progress, polls }, polls <= pace.quickPolls ? pace.quickMs : pace.slowMs);
}

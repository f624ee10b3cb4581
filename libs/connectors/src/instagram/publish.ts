import type { Content, FollowUp, MainStep, Next, State } from '../connector.ts';
import { requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { posts } from './quotas.ts';
import { awaitContainer, createChild, createContainer } from './container.ts';
import { rebuilding, rules } from './errors.ts';
import { done, fresh, isCarousel, type Progress, readProgress } from './progress.ts';

/** Instagram's flow (platform reference 2.2): containers, which are invisible and expire; a wait; `media_publish`. */
export function next(content: Content, state: State): Next {
  const progress = readProgress(state);
  return progress.mediaId === undefined
    ? { step: { ...mainStep(content, progress), spends: { quota: posts.name, amount: 1 } } }
    : followUp(content, { ...progress, mediaId: progress.mediaId });
}

function mainStep(content: Content, progress: Progress): MainStep {
  const children = progress.children ?? [];
  const child = children[progress.childrenReady ?? 0];
  if (progress.container !== undefined) {
    return progress.ready ? publish(progress, progress.container) : awaitContainer(content, progress, progress.container);
  }
  if (isCarousel(content) && children.length < content.media.length) return createChild(content, progress);
  if (child !== undefined) return awaitContainer(content, progress, child);
  return createContainer(content, progress);
}

function publish(progress: Progress, container: string): MainStep {
  return {
    name: 'publish_media',
    kind: 'commit',
    run: (call) =>
      rebuilding(fresh(progress), async () => {
        const path = `/${call.account.accountId}/media_publish`;
        const response = await graphCall(call, { method: 'POST', path, query: { creation_id: container }, commit: true }, rules);
        return done({ ...progress, mediaId: requiredAt(response, 'id') });
      }),
  };
}

function followUp({ firstComment }: Content, progress: Progress & { readonly mediaId: string }): Next {
  if (!progress.postUrl && !progress.linked) return { step: readPermalink(progress, progress.mediaId) };
  if (firstComment && !progress.commented) return { step: addComment(firstComment, progress, progress.mediaId) };
  return { published: { publishId: progress.mediaId, ...(progress.postUrl !== undefined && { postUrl: progress.postUrl }) } };
}

function readPermalink(progress: Progress, mediaId: string): FollowUp {
  return {
    name: 'read_permalink',
    kind: 'follow_up',
    repeatable: true,
    givenUp: { ...progress, linked: true },
    async run(call) {
      const response = await graphCall(call, { method: 'GET', path: `/${mediaId}`, query: { fields: 'permalink,shortcode' } }, rules);
      const postUrl = webUrl(stringAt(response, 'permalink'));
      return done({ ...progress, ...(postUrl !== undefined && { postUrl }), linked: true });
    },
  };
}

function addComment(message: string, progress: Progress, mediaId: string): FollowUp {
  return {
    name: 'add_first_comment',
    kind: 'follow_up',
    repeatable: false,
    givenUp: { ...progress, commented: true },
    async run(call) {
      const response = await graphCall(call, { method: 'POST', path: `/${mediaId}/comments`, body: { form: { message } } }, rules);
      requiredAt(response, 'id');
      return done({ ...progress, commented: true });
    },
  };
}

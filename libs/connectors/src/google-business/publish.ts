import type { Content, FollowUp, MainStep, Next, State, StepResult } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { refetching } from '../calls/refetching.ts';
import { googleCall } from '../google/google-call.ts';
import { isUnfetched, rules } from './errors.ts';
import { LOCATIONS_URL, poll, POSTS_URL } from './limits.ts';
import { localPost } from './local-post.ts';
import { done, type Progress, readProgress } from './progress.ts';

type Committed = Progress & { readonly name: string };

/** Google's flow (platform reference 8.2): one call creates the post and makes Google fetch its image; a review decides whether it is shown. */
export function next(content: Content, state: State): Next {
  const progress = readProgress(state);
  const { name, postUrl } = progress;
  if (name === undefined) return { step: createPost(content, progress) };
  if (!progress.reviewed) return { step: awaitReview({ ...progress, name }) };
  if (postUrl === undefined && !progress.linked) return { step: readMapsLink({ ...progress, name }) };
  return { published: { publishId: name, ...(postUrl !== undefined && { postUrl }) } };
}

function createPost(content: Content, progress: Progress): MainStep {
  return {
    name: 'create_post',
    kind: 'commit',
    async run(call) {
      const request = { url: `${POSTS_URL}/${call.account.accountId}/localPosts`, body: { json: localPost(content) } } as const;
      const post = await refetching(progress, isUnfetched, () => googleCall(call, { method: 'POST', ...request, commit: true }, rules));
      return afterReading({ ...progress, name: requiredAt(post, 'name') }, post);
    },
  };
}

function awaitReview(progress: Committed): FollowUp {
  return {
    name: 'await_review',
    kind: 'follow_up',
    repeatable: true,
    givenUp: { ...progress, reviewed: true },
    async run(call) {
      const post = await googleCall(call, { method: 'GET', url: `${POSTS_URL}/${progress.name}` }, rules);
      const polls = (progress.polls ?? 0) + 1;
      const result = afterReading({ ...progress, polls }, post);
      if (readProgress(result.state).reviewed || polls < poll.maxPolls) return result;
      // Not a temporary class: the engine continues and reports the message as a warning.
      throw new PlatformFailure('validation', 'Google is still reviewing the post. It becomes visible when the review is done.', {
        effect: 'rejected',
      });
    },
  };
}

/** @throws PlatformFailure `validation` when Google rejects the post, at once or later: then there is no post */
function afterReading(progress: Committed, post: unknown): StepResult {
  const state = stringAt(post, 'state');
  if (state === 'REJECTED') {
    throw new PlatformFailure(
      'validation',
      'Google rejected the post under its content policy. A phone number in the text is a common cause.',
      {
        effect: 'rejected',
        retryFrom: {},
        detail: { state, post: progress.name },
      },
    );
  }
  const postUrl = webUrl(stringAt(post, 'searchUrl'));
  const read = { ...progress, ...(postUrl !== undefined && { postUrl }) };
  if (state === 'LIVE') return done({ ...read, reviewed: true });
  const { polls = 0 } = progress;
  return done(read, polls === 0 ? poll.firstMs : polls < poll.quickPolls ? poll.quickMs : poll.slowMs);
}

/** A post without its own URL is found on the location's page. */
function readMapsLink(progress: Committed): FollowUp {
  return {
    name: 'read_maps_link',
    kind: 'follow_up',
    repeatable: true,
    givenUp: { ...progress, linked: true },
    async run(call) {
      // This service names the location without its account.
      const location = call.account.accountId.replace(/^accounts\/[^/]+\//, '');
      const query = { readMask: 'metadata' };
      const response = await googleCall(call, { method: 'GET', url: `${LOCATIONS_URL}/${location}`, query }, rules);
      const postUrl = webUrl(stringAt(response, 'metadata', 'mapsUri'));
      return done({ ...progress, ...(postUrl !== undefined && { postUrl }), linked: true });
    },
  };
}

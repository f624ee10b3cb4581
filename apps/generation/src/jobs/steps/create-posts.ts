import type { CreatePostRequest } from '@fanfare/contracts/content';
import { isDuplicateKey } from '@fanfare/mongo';
import { DomainError } from '@fanfare/errors';
import { derivedId, now } from '@fanfare/runtime';
import { emitDesignChanged } from '../../events.ts';
import { keepUploads } from '../../media/store/uploads.ts';
import type { DesignDocument } from '../../designs/design.ts';
import { insertDesign } from '../../designs/store/designs.ts';
import { phrasesOf, scoreDraft } from '../../score/score-draft.ts';
import { draftKey, type Draft, type MadeCreative } from '../drafts/draft.ts';
import type { JobWork, Step } from '../run-job.ts';
import { draftsOf } from '../drafts/drafts-of.ts';
import { recordedInput } from './recorded-input.ts';

const RECENT_POSTS = 50;

/** Creates the posts in the content service, one after the other. From this step on, the job can no longer be cancelled. */
export const createPosts: Step = async (work) => {
  const open = draftsOf(work.job()).filter(({ creative, post, failure }) => creative && !post && failure === undefined);
  if (open.length === 0) return { next: 'done' };
  const recent = (await recentCaptions(work)).map(phrasesOf);
  const phrases = draftsOf(work.job()).map(({ copy }) => phrasesOf(copy?.caption ?? ''));
  for (const draft of open) await createOne(work, draft, [...phrases.slice(0, draft.index), ...recent]);
  return { next: 'done' };
};

async function createOne(work: JobWork, draft: Draft, recentPhrases: readonly ReadonlySet<string>[]): Promise<void> {
  const { context, job, record } = work;
  const { copy, creative } = draft;
  if (!copy || !creative) return;
  const { _id: jobId, call: metadata } = job();
  const at = `drafts.${draftKey(draft.index)}`;
  const designId = creative.design && derivedId(jobId, `design.${draft.index}`);
  if (designId !== undefined) await storeDesign(work, draft, designId);
  const postId = derivedId(jobId, `post.${draft.index}`);
  try {
    await context.content.createPost(postOf(draft, { postId, designId }), { call: { metadata } });
  } catch (error) {
    // A retry does not help: content rejected the post.
    if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
    work.lease.log.warn({ err: error, index: draft.index }, 'the content service rejected a generated post');
    return record({ [`${at}.failure`]: error.message });
  }
  const { brief } = recordedInput(job());
  const score = scoreDraft({
    copy,
    language: draft.language ?? brief.language,
    platforms: brief.platforms,
    contrast: creative.contrast,
    recentPhrases,
  });
  await record({ [`${at}.post`]: { id: postId, score } });
}

/** The design of the post's media. A later change of the design changes the post. */
async function storeDesign({ context, job }: JobWork, { copy, creative }: Draft, designId: string): Promise<void> {
  const { organization_id, business_id, call } = job();
  if (!creative?.design) return;
  const { theme_name: _, ...content } = creative.design;
  const at = now(organization_id);
  const design: DesignDocument = {
    ...{ _id: designId, organization_id, business_id, created_at: at, updated_at: at, revision: 1 },
    ...{ name: copy?.title ?? '', ...content, media: [...creative.media], deleted: false },
  };
  try {
    await context.transact(async (session) => {
      await insertDesign(context.db, design, session);
      await keepUploads(context.db, idsOf(creative), session);
      await emitDesignChanged(context.db, session, design, call.flowId);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

const idsOf = ({ media }: MadeCreative) => media.map(({ id }) => id);

function postOf({ copy, creative }: Draft, { postId, designId }: { postId: string; designId: string | undefined }): CreatePostRequest {
  const overrides = Object.entries(copy?.platformCaptions ?? {}).map(([platform, caption]) => ({
    override: {
      platform,
      caption,
      media: undefined,
      title: undefined,
      link: undefined,
      firstComment: undefined,
      options: undefined,
      integrationId: undefined,
    },
    mediaUrls: undefined,
    mediaIds: undefined,
  }));
  return {
    operationId: derivedId(postId, 'create'),
    postId,
    caption: copy?.caption ?? '',
    status: 'POST_STATUS_NEW',
    mediaIds: designId === undefined && creative ? idsOf(creative) : [],
    mediaUrls: [],
    designId,
    coverMediaId: creative?.cover?.id,
    videoCoverTimestampMs: undefined,
    link: undefined,
    restrictPublishTo: [],
    restrictPublishToIntegrationIds: [],
    scheduledPublishTime: undefined,
    metadata: [],
    platformOverrides: overrides,
    repeatingCron: undefined,
    repeatingTimezone: undefined,
  };
}

/** Captions of the latest posts of the business, without those of this job. */
async function recentCaptions({ context, job }: JobWork): Promise<string[]> {
  const { _id: jobId, call: metadata, request } = job();
  const own = new Set(Array.from({ length: request.count }, (_, index) => derivedId(jobId, `post.${index}`)));
  const { posts } = await context.content.listPosts(
    {
      pageSize: RECENT_POSTS + request.count,
      pageToken: '',
      statuses: [],
      scheduledFrom: undefined,
      scheduledTo: undefined,
      publishStatuses: [],
      platform: undefined,
      integrationId: undefined,
      query: undefined,
      atRisk: undefined,
      sort: 'POST_SORT_UNSPECIFIED',
    },
    { call: { metadata } },
  );
  return posts
    .filter(({ id }) => !own.has(id))
    .slice(0, RECENT_POSTS)
    .map(({ caption }) => caption);
}

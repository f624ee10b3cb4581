import type { CreatePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { derivedId, now } from '@fanfare/runtime';
import { emitDesignsChanged } from '../../designs/emit-designs-changed.ts';
import { keepUploads } from '../../media/store/uploads.ts';
import type { DesignDocument } from '../../designs/design.ts';
import { existingDesigns, insertDesigns } from '../../designs/store/designs.ts';
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
  await storeDesigns(work, open);
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

/** Stores the designs of the posts' media that an earlier run has not stored. A later change of a design changes its post. */
async function storeDesigns({ context, job }: JobWork, drafts: readonly Draft[]): Promise<void> {
  const { _id: jobId, organization_id, business_id, call } = job();
  const at = now(organization_id);
  const all = drafts.flatMap(({ index, copy, creative }): DesignDocument[] => {
    if (!creative?.design) return [];
    const { theme_name: _, ...content } = creative.design;
    const ids = { _id: derivedId(jobId, `design.${index}`), organization_id, business_id };
    return [
      {
        ...{ ...ids, created_at: at, updated_at: at, revision: 1 },
        ...{ name: copy?.title ?? '', ...content, media: [...creative.media], deleted: false },
      },
    ];
  });
  if (all.length === 0) return;
  const scope = { organizationId: organization_id, businessId: business_id };
  const stored = await existingDesigns(
    context.db,
    scope,
    all.map(({ _id }) => _id),
  );
  const missing = all.filter(({ _id }) => !stored.has(_id));
  if (missing.length === 0) return;
  await context.transact(async (session) => {
    await insertDesigns(context.db, missing, session);
    await keepUploads(context.db, missing.flatMap(idsOf), session);
    await emitDesignsChanged(context.db, session, missing, call);
  });
}

const idsOf = ({ media }: Pick<MadeCreative, 'media'>) => media.map(({ id }) => id);

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
    misfirePolicy: 'MISFIRE_POLICY_UNSPECIFIED',
    strategy: 'PUBLISH_STRATEGY_UNSPECIFIED',
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

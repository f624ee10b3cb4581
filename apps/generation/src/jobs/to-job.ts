import type { GeneratedPost, Job, JobStep, ModelUsage } from '@fanfare/contracts/generation';
import type { Idea } from '../writing/composer.ts';
import type { Draft, MadeCreative } from './drafts/draft.ts';
import { draftsOf, ideaOf } from './drafts/drafts-of.ts';
import type { JobDocument } from './job.ts';

const STATUSES = { pending: 'JOB_STATUS_PENDING', completed: 'JOB_STATUS_COMPLETED', failed: 'JOB_STATUS_FAILED' } as const;
const STEPS = {
  input: 'JOB_STEP_INPUT',
  ideas: 'JOB_STEP_IDEAS',
  copy: 'JOB_STEP_COPY',
  creatives: 'JOB_STEP_CREATIVES',
  posts: 'JOB_STEP_POSTS',
  done: 'JOB_STEP_DONE',
} as const satisfies Record<JobDocument['step'], JobStep>;

/** The prices of the language model, in US dollars per million tokens. */
interface Prices {
  readonly input: number | undefined;
  readonly output: number | undefined;
}

/** From a full document, or one without its source. */
export function toJob(job: JobDocument, prices: Prices): Job {
  const drafts = draftsOf(job);
  const isEnded = job.status !== 'pending';
  const made = drafts.filter(({ post }) => post);
  return {
    id: job._id,
    businessId: job.business_id,
    createdAt: job.created_at,
    updatedAt: job.updated_at,
    status: STATUSES[job.status],
    posts: job.status === 'completed' ? made.map((draft) => toGeneratedPost(draft, ideaOf(job, draft))) : [],
    error: job.error,
    progress: {
      step: STEPS[job.step],
      completed: drafts.filter(({ creative }) => creative).length,
      total: job.request.count,
    },
    composer: job.composer,
    modelUsage: toUsage(job, prices),
    warnings: isEnded ? [...(job.warnings ?? []), ...warningsOf(drafts)] : [],
    credits: isEnded ? made.length : job.charge.credits,
    endedAt: job.ended_at,
  };
}

const warningsOf = (drafts: readonly Draft[]): string[] =>
  drafts.flatMap(({ index, failure, creative }) => [
    ...(failure === undefined ? [] : [`Post ${index + 1} could not be generated: ${failure}`]),
    ...(creative?.warning === undefined ? [] : [`Post ${index + 1}: ${creative.warning}`]),
  ]);

function toUsage({ usage: { requests, inputTokens, outputTokens } }: JobDocument, prices: Prices): ModelUsage | undefined {
  if (requests === 0) return undefined;
  const { input, output } = prices;
  const costUsd = input === undefined || output === undefined ? undefined : (inputTokens * input + outputTokens * output) / 1_000_000;
  return { requests, inputTokens, outputTokens, costUsd };
}

function toGeneratedPost({ format, copy, language, creative, post }: Draft, idea: Idea | undefined): GeneratedPost {
  const [first = {}] = copy?.pages ?? [];
  return {
    postId: post?.id ?? '',
    caption: copy?.caption ?? '',
    idea: idea?.title ?? '',
    textContent: {
      headline: first.headline ?? first.top ?? first.quote ?? '',
      body: first.body ?? first.bottom ?? '',
      callToAction: copy?.pages.findLast(({ cta }) => cta !== undefined)?.cta ?? '',
      hashtags: [...(copy?.hashtags ?? [])],
      language: language ?? '',
      altText: copy?.altText ?? '',
      platformCaptions: { ...copy?.platformCaptions },
    },
    slides: slidesOf(creative),
    topicTitle: idea?.topic?.title ?? '',
    categoryName: idea?.topic?.categoryName ?? '',
    templateId: creative?.design?.template_id ?? '',
    themeName: creative?.design?.theme_name ?? '',
    title: copy?.title ?? '',
    creativeFormat: format,
    renderedUrls: creative?.media.map(({ url }) => url) ?? [],
    score: post?.score,
  };
}

const slidesOf = (creative: MadeCreative | undefined) =>
  (creative?.media ?? []).map(({ url }) => ({ imageUrl: url, imageKeyword: creative?.image_keyword ?? '' }));

import type { GeneratedPost, Job, JobStatus, JobStep } from '@fanfare/contracts/generation';
import { isoTime } from './required.ts';

const STATUSES: Readonly<Partial<Record<JobStatus, string>>> = {
  JOB_STATUS_PENDING: 'pending',
  JOB_STATUS_COMPLETED: 'completed',
  JOB_STATUS_FAILED: 'failed',
};

const STEPS: readonly JobStep[] = [
  'JOB_STEP_INPUT',
  'JOB_STEP_IDEAS',
  'JOB_STEP_COPY',
  'JOB_STEP_CREATIVES',
  'JOB_STEP_POSTS',
  'JOB_STEP_DONE',
];

/** The progress of a job when a step begins, in percent. */
const BEGINS_AT = [0, 5, 15, 35, 90, 100];

export function jobFromProto(given: Job) {
  const { step = 'JOB_STEP_INPUT', completed = 0, total = 0 } = given.progress ?? {};
  const at = Math.max(0, STEPS.indexOf(step));
  const made = step === 'JOB_STEP_CREATIVES' && total > 0 ? Math.round((completed / total) * 55) : 0;
  const { modelUsage: used } = given;
  return {
    job_id: given.id,
    status: STATUSES[given.status] ?? 'pending',
    data: given.posts.map(postFromProto),
    error: given.error ?? null,
    progress: { step: step.replace('JOB_STEP_', '').toLowerCase(), completed, total, percent: (BEGINS_AT[at] ?? 0) + made },
    composer: given.composer,
    warnings: given.warnings,
    credits: given.credits,
    model_usage: used
      ? { requests: used.requests, input_tokens: used.inputTokens, output_tokens: used.outputTokens, cost_usd: used.costUsd ?? null }
      : null,
    created_at: isoTime(given.createdAt),
    ended_at: given.endedAt ? isoTime(given.endedAt) : null,
  };
}

const postFromProto = ({ textContent: text, score: measured, ...given }: GeneratedPost) => ({
  post_id: given.postId,
  caption: given.caption,
  idea: given.idea,
  text_content: {
    headline: text?.headline ?? '',
    body: text?.body ?? '',
    call_to_action: text?.callToAction ?? '',
    hashtags: text?.hashtags ?? [],
    language: text?.language ?? '',
    alt_text: text?.altText ?? '',
    platform_captions: text?.platformCaptions ?? {},
  },
  slides: given.slides.map(({ imageUrl, imageKeyword }) => ({ image_url: imageUrl, image_keyword: imageKeyword })),
  topic_title: given.topicTitle,
  category_name: given.categoryName,
  template_id: given.templateId,
  theme_name: given.themeName,
  title: given.title,
  creative_format: given.creativeFormat,
  rendered_urls: given.renderedUrls,
  score: measured
    ? {
        overall: measured.overall,
        readability: measured.readability ?? null,
        readability_measure: measured.readabilityMeasure || null,
        length: measured.length ?? null,
        contrast: measured.contrast ?? null,
        contrast_ratio: measured.contrastRatio ?? null,
        originality: measured.originality ?? null,
        lengths: measured.lengths,
      }
    : null,
});

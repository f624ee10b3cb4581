import { DomainError } from '@fanfare/errors';
import { FetchError } from '@fanfare/guarded-http';
import { currentMs, timeOf } from '@fanfare/runtime';
import { CREATIVES, isRendered } from '../../creatives/index.ts';
import { CreativeFailed, type CreativeOrder } from '../../creatives/creative.ts';
import { readLibraryImages } from '../../creatives/library-image.ts';
import { ProviderFailed } from '../../providers/provider-failed.ts';
import { draftKey, type Draft } from '../drafts/draft.ts';
import type { JobWork, Step } from '../run-job.ts';
import { draftsOf, ideaOf } from '../drafts/drafts-of.ts';
import { eachOf } from './each-of.ts';
import { recordedInput } from './recorded-input.ts';

const AT_ONCE = 3;
/** Since the job was accepted. */
const MAX_WAIT_MS = 30 * 60_000;

/** Makes the creative of each post and records it. A failed creative does not affect the other posts. */
export const makeCreatives: Step = async (work) => {
  const open = draftsOf(work.job()).filter(({ creative, failure }) => !creative && failure === undefined);
  const waits: number[] = [];
  let images: ReturnType<typeof readLibraryImages> | undefined;
  const libraryImages = () => (images ??= readLibraryImages(work.context, work.job().call));
  await eachOf(open, AT_ONCE, async (draft) => {
    const waitMs = await makeOne(work, draft, libraryImages);
    if (waitMs !== undefined) waits.push(waitMs);
  });
  return waits.length > 0 ? { waitMs: Math.min(...waits) } : { next: 'posts' };
};

/** @returns when to poll the provider again */
async function makeOne(work: JobWork, draft: Draft, libraryImages: CreativeOrder['libraryImages']): Promise<number | undefined> {
  const at = `drafts.${draftKey(draft.index)}`;
  try {
    const make = () => CREATIVES[draft.format](work.context, { ...orderFor(work, draft), libraryImages });
    const { creativeTurns } = work.context;
    const result = isRendered(draft.format) ? await creativeTurns.run(work.job().organization_id, make, work.lease.signal) : await make();
    if ('made' in result) {
      await work.record({ [`${at}.creative`]: result.made });
      return undefined;
    }
    // In real time, whatever the organization's clock: an id contains when it was made.
    if (currentMs() - timeOf(work.job()._id).getTime() > MAX_WAIT_MS) throw new CreativeFailed('The video model took too long.');
    if (draft.provider_id === undefined) await work.record({ [`${at}.provider_id`]: result.providerId });
    return result.waitMs;
  } catch (error) {
    if (!isFinal(error, work.isLastAttempt())) throw error;
    work.lease.log.warn({ err: error, format: draft.format, index: draft.index }, 'could not make a creative');
    await work.record({ [`${at}.failure`]: error.message });
    return undefined;
  }
}

function orderFor({ job, lease }: JobWork, draft: Draft): Omit<CreativeOrder, 'libraryImages'> {
  const { _id: jobId, request, call: metadata } = job();
  const { brief, look } = recordedInput(job());
  const idea = ideaOf(job(), draft);
  if (!draft.copy || !idea) throw new Error('A creative was made before its copy.');
  return { jobId, draft, copy: draft.copy, idea, brief, look, request, metadata, signal: lease.signal };
}

/** Failures of the post that a retry does not resolve. Failures of this service are not among them. */
const isFinal = (error: unknown, isLastAttempt: boolean): error is Error =>
  error instanceof CreativeFailed ||
  error instanceof FetchError ||
  (error instanceof ProviderFailed && (isLastAttempt || !error.isPassing)) ||
  (error instanceof DomainError && error.code !== 'internal_error' && error.code !== 'conflict');

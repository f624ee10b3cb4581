import { PLATFORMS, type Platform } from '@fanfare/connectors';
import type { SuggestCaptionsRequest } from '@fanfare/contracts/generation';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { readBusiness } from '../business.ts';
import type { Context } from '../context.ts';
import { chargePosts, refund } from '../quota/store/usage.ts';
import { ComposerFailed } from './composer.ts';

const MAX_COUNT = 5;
/** Short, because a caller waits. */
const TIMEOUT_MS = 28_000;

/** What is suggested, and the platform that it is for, if the request names one. */
interface SuggestedCaptions {
  readonly platform: Platform | undefined;
  readonly captions: readonly string[];
}

/** Writes captions in the voice of the business, and charges them as one generated post. */
export async function suggestCaptions(
  context: Context,
  request: SuggestCaptionsRequest,
  metadata: CallMetadata,
): Promise<SuggestedCaptions> {
  const { count, tone } = request;
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT)
    throw new DomainError('invalid_value', `count must be an integer from 1 to ${MAX_COUNT}.`, { param: 'count' });
  const platform = checkPlatform(request.platform);
  const about = await aboutOf(context, request, metadata);
  const business = await readBusiness(context, metadata);
  const brief = {
    ...{ businessName: business.name, description: business.description, industry: business.industry, language: business.language },
    ...{ voice: tone === '' ? business.tone : tone, rules: business.writingRules, platforms: platform ? [platform] : [] },
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const written = await charged(context, request, metadata, signal, () =>
    context.composer.captions({ about, brief, platform, tone: brief.voice, count }, signal),
  );
  return { platform, captions: written.value };
}

function checkPlatform(name: string): Platform | undefined {
  if (name === '') return undefined;
  const known = PLATFORMS.find((one) => one === name);
  if (!known) throw new DomainError('invalid_value', `platform must be one of ${PLATFORMS.join(', ')}.`, { param: 'platform' });
  return known;
}

async function aboutOf({ library }: Context, { caption, mediaId }: SuggestCaptionsRequest, metadata: CallMetadata): Promise<string> {
  const texts = [caption];
  if (mediaId !== undefined) {
    const [media] = (await library.batchGetMedia({ mediaIds: [mediaId] }, { call: { metadata } })).media;
    if (!media) throw new DomainError('invalid_value', 'This business has no media file with this id.', { param: 'media_id' });
    texts.push(media.altText, media.description);
  }
  const about = texts.filter((text) => text.trim() !== '').join('\n\n');
  if (about !== '') return about;
  if (mediaId === undefined) throw new DomainError('missing_field', 'Send caption or media_id.', { param: 'caption' });
  throw new DomainError('invalid_value', 'The media file has neither alternative text nor a description. Add one, or send a caption.', {
    param: 'media_id',
  });
}

/** Charges one generated post, and refunds it on failure. */
async function charged<T>(
  context: Context,
  { limits }: SuggestCaptionsRequest,
  { organizationId }: CallMetadata,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const { db } = context;
  const charge = await context.transact((session) =>
    chargePosts(db, session, {
      ...{ organizationId, count: 1, at: now(organizationId) },
      limits: { posts: limits?.postsPerMonth, credits: limits?.creditsPerMonth },
    }),
  );
  try {
    return await work();
  } catch (error) {
    await context.transact((session) => refund(db, session, organizationId, charge, 0));
    if (signal.aborted)
      throw new DomainError('UPSTREAM_PROVIDER_ERROR', 'The language model did not respond in time.', {
        retryAfterSeconds: 5,
        cause: error,
      });
    if (!(error instanceof ComposerFailed)) throw error;
    const retryAfterSeconds = error.isPassing ? Math.ceil((error.retryAfterMs ?? 1_000) / 1_000) : undefined;
    throw new DomainError('UPSTREAM_PROVIDER_ERROR', error.message, { retryAfterSeconds, cause: error });
  }
}

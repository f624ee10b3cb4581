import type { CreatePostRequest, Finding, PatchOperation, PlatformOverride, ValidatePostResponse } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { findLinkTracking } from '../businesses/store/businesses.ts';
import { givenUrls } from '../media/given-urls.ts';
import { mediaByIds, mediaOfOverrides } from '../media/media-by-ids.ts';
import { designMedia } from '../media/design-media.ts';
import { checkCover } from '../media/resolve-media.ts';
import { checkSuppliesContent } from '../posts/post-content.ts';
import { checkedMedia } from '../preflight/checked-media.ts';
import { givenPost } from '../preflight/checked-post.ts';
import { checkedTargets } from '../preflight/checked-targets.ts';
import { patchOf } from '../preflight/fix-overrides.ts';
import { findingsIn } from '../preflight/platform-findings.ts';
import { targetFindings } from '../preflight/target-findings.ts';
import { checkQueue } from '../queues/check-queue.ts';
import { checkIntegrations } from '../targets/check-integrations.ts';
import { checkOverrideAccounts } from '../targets/check-override-accounts.ts';
import { listBusinessIntegrations } from '../targets/store/integrations.ts';
import { newPostRules } from './rules/new-post.ts';

/** A dry run of a create: it reports the findings of all rules, while a create stops at the first. Nothing is fetched or saved. */
export async function dryRun(
  services: Pick<Context, 'db' | 'library' | 'generation'>,
  post: CreatePostRequest,
  call: Call,
): Promise<ValidatePostResponse> {
  const { db, library } = services;
  const { organizationId, businessId } = call.metadata;
  const at = now(organizationId);
  const design = designMedia(services, post, call);
  const media = mediaByIds(library, post, call);
  const ofOverrides = mediaOfOverrides(library, post, call);
  const rules: readonly (readonly [ruleId: string, check: () => unknown])[] = [
    ...newPostRules.map(([ruleId, check]) => [ruleId, () => check(post, at)] as const),
    ['content_missing', () => checkSuppliesContent(contentOf(post))],
    ['media_url_invalid', () => checkUrls(post)],
    ['media_unknown', () => media],
    ['media_unknown', () => ofOverrides],
    ['cover_unknown', () => checkCover(library, post, call)],
    ['design_unknown', () => design],
    ['integration_unknown', () => checkIntegrations(db, businessId, post.restrictPublishToIntegrationIds)],
    ['queue_unknown', () => checkQueue(db, call.metadata, post.queueId)],
    ['integration_unknown', () => checkOverrideAccounts(db, businessId, post.platformOverrides)],
  ];
  const rejections = await Promise.all(rules.map(([ruleId, check]) => findingsOf(ruleId, check)));
  const [integrations, linkTracking] = await Promise.all([listBusinessIntegrations(db, businessId), findLinkTracking(db, businessId)]);
  const restriction = restrictionOf(post);
  const { platforms, accounts } = checkedTargets(restriction, integrations);
  const ofDesign = await design.then(
    (found) => found && checkedMedia(found.media),
    () => undefined,
  );
  const known = post.designId === undefined ? await media.then(checkedMedia, () => undefined) : ofDesign;
  const knownOfOverrides = await ofOverrides.then(
    (all) => all.map((some) => some && checkedMedia(some)),
    () => [],
  );
  const tracked = linkTracking && { linkTracking, postId: post.postId === '' ? ANY_POST_ID : post.postId, businessId };
  const { findings, changes } = findingsIn(givenPost(post, known, knownOfOverrides, tracked), platforms, accounts);
  const ofTargets = targetFindings(restriction, integrations, { at: post.scheduledPublishTime });
  return { findings: [...rejections.flat(), ...ofTargets, ...findings], fix: patchOf(post, changes) };
}

/** Has the length of the id that the post would get, so that texts with link tracking are counted as they would be sent. */
const ANY_POST_ID = '00000000-0000-0000-0000-000000000000';

const restrictionOf = ({ restrictPublishTo: platforms, restrictPublishToIntegrationIds: integrationIds }: CreatePostRequest) => ({
  platforms,
  integrationIds,
});

async function findingsOf(ruleId: string, check: () => unknown): Promise<Finding[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
    const { param, detail, errors } = error;
    const all = errors.length > 0 ? errors : [{ param, detail }];
    return all.map((one) => ({
      ruleId,
      severity: 'FINDING_SEVERITY_ERROR',
      platform: undefined,
      field: one.param,
      detail: one.detail,
      ...NO_LIMIT,
    }));
  }
}

function contentOf(post: CreatePostRequest) {
  const { caption, designId, link, mediaIds, mediaUrls, platformOverrides } = post;
  const overrides = platformOverrides.flatMap(({ override, mediaUrls, mediaIds }): PlatformOverride[] => {
    const given = mediaIds?.items ?? mediaUrls?.urls;
    return override ? [{ ...override, media: given && { items: given.map((url) => ({ ...NO_MEDIA, url })) } }] : [];
  });
  return { caption, designId, link, mediaCount: mediaIds.length + mediaUrls.length, overrides };
}

/** Findings of content's own rules have no limit, value or fix. */
const NO_LIMIT = { limit: undefined, value: undefined, source: undefined, fix: [] as PatchOperation[] };
const NO_MEDIA = { id: '', type: '', description: '', transcript: '', duration: 0, facts: undefined };

/** Checks the scheme only: whether a URL can be fetched is known when the post is created. */
function checkUrls(post: CreatePostRequest): void {
  const detail = 'A media URL must be an http or https URL.';
  const errors = givenUrls(post)
    .filter(({ url }) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    .map(({ param }) => ({ param, code: 'invalid_value' as const, detail }));
  if (errors.length > 0) throw new DomainError('invalid_value', detail, { param: errors[0]?.param, errors });
}

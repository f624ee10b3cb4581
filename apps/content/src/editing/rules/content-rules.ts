import type { CreatePostRequest, UpdatePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { givenUrls } from '../../media/given-urls.ts';

/** The content of a post in a create or an edit. */
type GivenContent = Pick<CreatePostRequest & UpdatePostRequest, 'mediaIds' | 'mediaUrls' | 'designId' | 'platformOverrides'>;

/** All URLs are fetched within the request. A post can have no more media than this anyway. */
const MAX_URLS = 50;

/** The rules of a post's content, by the rule ids that findings have. */
export const contentRules = [
  ['media_sources_exclusive', checkMediaSources],
  ['media_urls_too_many', checkUrlCount],
  ['platform_override_target', checkOverrideTargets],
  ['platform_override_repeated', checkOverridesOnce],
  ['media_sources_exclusive', checkOverrideMediaSources],
] as const;

function checkMediaSources({ mediaIds, mediaUrls, designId }: GivenContent): void {
  const given = [mediaIds.length > 0 && 'media_ids', mediaUrls.length > 0 && 'media_urls', designId !== undefined && 'design_id'].filter(
    (name) => name !== false,
  );
  const [first, second] = given;
  if (second !== undefined) throw new DomainError('invalid_request', `${second} cannot be combined with ${first}.`, { param: second });
}

function checkUrlCount(given: GivenContent): void {
  const beyond = givenUrls(given)[MAX_URLS];
  if (!beyond) return;
  const detail = `One request can fetch at most ${MAX_URLS} media URLs, including those in platform_overrides. Upload the media first and send their ids.`;
  throw new DomainError('invalid_request', detail, { param: beyond.param.replace(/\.\d+$/, '') });
}

function checkOverrideTargets({ platformOverrides }: GivenContent): void {
  for (const [index, { override }] of platformOverrides.entries()) {
    const { platform = '', integrationId } = override ?? {};
    if (platform !== '' && integrationId !== undefined) {
      throw new DomainError('invalid_request', 'integration_id cannot be combined with platform.', at(index, 'integration_id'));
    }
    if (platform === '' && integrationId === undefined) {
      throw new DomainError('missing_field', 'Set either platform or integration_id in each override.', at(index, 'platform'));
    }
  }
}

function checkOverridesOnce({ platformOverrides }: GivenContent): void {
  const seen = new Set<string>();
  for (const [index, { override }] of platformOverrides.entries()) {
    const { platform = '', integrationId } = override ?? {};
    const target = integrationId ?? platform;
    if (target !== '' && seen.has(target)) {
      const [what, field] = integrationId === undefined ? ['platform', 'platform'] : ['account', 'integration_id'];
      throw new DomainError('invalid_value', `This ${what} already has an override.`, at(index, field));
    }
    seen.add(target);
  }
}

function checkOverrideMediaSources({ platformOverrides }: GivenContent): void {
  const index = platformOverrides.findIndex(({ mediaIds, mediaUrls }) => mediaIds && mediaUrls);
  if (index >= 0) throw new DomainError('invalid_request', 'media_urls cannot be combined with media_ids.', at(index, 'media_urls'));
}

const at = (index: number, field: string) => ({ param: `platform_overrides.${index}.${field}` });

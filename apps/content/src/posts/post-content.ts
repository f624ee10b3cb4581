import type { PlatformOverride } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { hasContentInOptions } from '../preflight/has-content-in-options.ts';
import type { PostDocument } from './post.ts';

/**
 * The caption is optional only if the post has other content.
 * @throws DomainError missing_field `caption`
 */
export function checkHasContent(post: PostDocument): void {
  const { caption, media, design_id: designId, link, platform_overrides: overrides } = post;
  checkSuppliesContent({ caption, mediaCount: media.length, designId, link, overrides });
}

/** Like `checkHasContent`, for a post that is not stored. */
export function checkSuppliesContent(given: {
  caption: string;
  mediaCount: number;
  designId: string | undefined;
  link: string | undefined;
  overrides: readonly PlatformOverride[];
}): void {
  if (given.caption.trim() !== '' || given.mediaCount > 0 || given.designId !== undefined || given.link !== undefined) return;
  if (given.overrides.some(suppliesContent)) return;
  throw new DomainError('missing_field', 'A post needs a caption unless media, a design, a link or an override provides content.', {
    param: 'caption',
  });
}

const suppliesContent = (override: PlatformOverride) =>
  (override.caption ?? '').trim() !== '' ||
  (override.media?.items.length ?? 0) > 0 ||
  override.link !== undefined ||
  hasContentInOptions(override);

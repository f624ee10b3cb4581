import { checkOptions } from '../checks/check-options.ts';
import type { Content } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { titleOf } from '../text/title-of.ts';
import { check } from './check.ts';
import { limits, title as titleLimit } from './limits.ts';
import { options } from './options.ts';

/** The metadata of a post's video in YouTube's format. */
export interface Metadata {
  readonly snippet: { title: string; description: string; categoryId: string; tags?: readonly string[]; defaultLanguage?: string };
  readonly status: { privacyStatus: 'public' | 'unlisted' | 'private'; selfDeclaredMadeForKids: boolean; containsSyntheticMedia?: boolean };
}

/** @throws PlatformFailure `validation`, `not_sent` */
export function metadataOf(content: Content): Metadata {
  const title = titleOf(content, titleLimit);
  if (title === undefined) throw invalid('A YouTube video requires a title. Set platform_overrides.title or a caption.');
  const chosen = optionsOf(content);
  const { privacy_status = 'public', category_id = '22', tags = [], made_for_kids = false } = chosen;
  const { default_language: defaultLanguage, contains_synthetic_media: containsSyntheticMedia } = chosen;
  return {
    snippet: {
      ...{ title, description: content.caption, categoryId: category_id },
      ...(tags.length > 0 && { tags }),
      ...(defaultLanguage !== undefined && { defaultLanguage }),
    },
    status: {
      ...{ privacyStatus: privacy_status, selfDeclaredMadeForKids: made_for_kids },
      ...(containsSyntheticMedia !== undefined && { containsSyntheticMedia }),
    },
  };
}

/** @throws PlatformFailure `validation`, `not_sent` */
export function notifiesSubscribers(content: Content): boolean {
  return optionsOf(content).notify_subscribers ?? true;
}

function optionsOf(content: Content) {
  const [finding] = [...checkOptions({ options, limits }, content.options), ...check(content)];
  if (finding) throw invalid(`${finding.field}: ${finding.message}`);
  return options.parse(content.options ?? {});
}

function invalid(message: string): PlatformFailure {
  return new PlatformFailure('validation', message, { effect: 'not_sent' });
}

import {
  asConverted,
  checkContent,
  conversionFor,
  fitText,
  platformRules,
  textLimitOf,
  type CheckedContent,
  type CheckedMedia,
  type Limits,
  type TextLimit,
} from '@fanfare/connectors/preflight';
import type { Platform } from '@fanfare/connectors/platform';
import type { CreatePostRequest, Finding } from '@fanfare/contracts/content';
import { patchOf, type OverrideChanges } from './fix-overrides.ts';

/** What a post as it would be created says to one platform. */
interface Said {
  readonly content: CheckedContent;
  /** False for URLs: what they hold is known when they are fetched. */
  readonly isMediaKnown: boolean;
  readonly mediaCount: number;
  /** Where each part of it stands in the post that was given. */
  readonly paths: { readonly caption: string; readonly override: string; readonly link: string; readonly media: string };
}

/**
 * Holds a post against the limits of the platforms that it goes to: the tables by which it is published.
 * @param media what the library knows of `media_ids`; undefined when it does not know all of them
 */
export function platformFindings(
  post: CreatePostRequest,
  platforms: readonly string[],
  media: readonly CheckedMedia[] | undefined,
): { findings: Finding[]; changes: OverrideChanges } {
  const findings: Finding[] = [];
  const changes: Record<string, Record<string, string>> = {};
  for (const platform of new Set(platforms)) {
    const rules = platformRules[platform as Platform];
    if (!rules) continue;
    const said = saidTo(platform, post, media);
    for (const [index, one] of said.content.media.entries()) {
      const conversion = conversionFor(rules.limits, one);
      if (!conversion) continue;
      findings.push({
        ruleId: 'media_converted',
        severity: 'FINDING_SEVERITY_WARNING',
        platform,
        field: pathOf(`media.${index}`, said),
        detail: `It is not taken as it is (${one.mimeType}, ${one.sizeBytes} bytes, ${one.width} × ${one.height}): ${conversion.mimeType} is made of it, and sent.`,
        limit: undefined,
        value: undefined,
        source: rules.source,
        fix: [],
      });
    }
    for (const { rule, field, limit, value, message } of findingsIn(said, rules.limits)) {
      // A post without any content is told once, and not for each platform.
      if (rule === 'required' && field === 'caption' && post.caption.trim() === '') continue;
      const fixed = fixedText(said.content, field, rule, rules.limits);
      if (fixed !== undefined) (changes[platform] ??= {})[field] = fixed;
      findings.push({
        ruleId: `${field.replace(/\..*/, '')}_${rule}`,
        severity: 'FINDING_SEVERITY_ERROR',
        platform,
        field: pathOf(field, said),
        detail: message,
        limit,
        value,
        source: rules.source,
        fix: fixed === undefined ? [] : patchOf(post, { [platform]: { [field]: fixed } }),
      });
    }
  }
  return { findings, changes };
}

function findingsIn({ content, isMediaKnown, mediaCount }: Said, limits: Limits) {
  const found = checkContent({ limits }, { ...content, media: content.media.map((one) => asConverted(limits, one)) });
  if (isMediaKnown) return found;
  const max = Math.max(limits.maxMedia, limits.images.max, limits.videos.max);
  const tooMany = mediaCount > max;
  return [
    ...found.filter(({ rule }) => rule !== 'required'),
    ...(tooMany
      ? [
          {
            rule: 'max_count' as const,
            field: 'media',
            limit: max,
            value: mediaCount,
            message: `${mediaCount} media; at most ${max} are allowed.`,
          },
        ]
      : []),
  ];
}

/** The text that would be taken, where the finding is about a text. */
function fixedText(content: CheckedContent, field: string, rule: string, limits: Limits): string | undefined {
  const texts: Readonly<Record<string, readonly [string | undefined, TextLimit | undefined]>> = {
    caption: [content.caption, textLimitOf(limits, content)],
    title: [content.title, limits.title],
    first_comment: [content.firstComment, limits.comment],
  };
  const [text, limit] = texts[field] ?? [];
  return (rule.startsWith('max_') || rule === 'forbidden') && text !== undefined && limit ? fitText(text, limit) : undefined;
}

function saidTo(platform: string, post: CreatePostRequest, media: readonly CheckedMedia[] | undefined): Said {
  const index = post.platformOverrides.findIndex(({ override }) => override?.platform === platform);
  const { override, mediaUrls } = post.platformOverrides[index] ?? {};
  const at = `platform_overrides.${index}`;
  const { caption = post.caption, title, link = post.link, firstComment } = override ?? {};
  const own = mediaUrls?.urls;
  const isMediaKnown = own ? own.length === 0 : post.mediaUrls.length === 0 && post.designId === undefined && media !== undefined;
  return {
    content: {
      caption,
      ...(title !== undefined && { title }),
      ...(link !== undefined && { link }),
      ...(firstComment !== undefined && { firstComment }),
      media: isMediaKnown && !own ? (media ?? []) : [],
    },
    isMediaKnown,
    mediaCount: own?.length ?? post.mediaIds.length + post.mediaUrls.length,
    paths: {
      caption: override?.caption === undefined ? 'caption' : `${at}.caption`,
      override: at,
      link: override?.link === undefined ? 'link' : `${at}.link`,
      media: own ? `${at}.media_urls` : post.mediaUrls.length > 0 ? 'media_urls' : 'media_ids',
    },
  };
}

function pathOf(field: string, { paths }: Said): string {
  if (field === 'caption') return paths.caption;
  if (field === 'link') return paths.link;
  if (field === 'media' || field.startsWith('media.')) return field.replace('media', paths.media);
  return `${paths.override}.${field}`;
}

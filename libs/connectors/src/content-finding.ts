import type { Content, ContentMedia } from './connector.ts';

/** One way in which a post breaks a platform's limits. */
export interface ContentFinding {
  readonly rule:
    | 'required'
    | 'max_length'
    | 'max_count'
    | 'max_hashtags'
    | 'max_mentions'
    | 'max_cashtags'
    | 'forbidden'
    | 'discouraged'
    | 'mime_type'
    | 'min_bytes'
    | 'max_bytes'
    | 'pixels'
    | 'ratio'
    | 'duration'
    | 'frames'
    | 'frame_rate'
    | 'mixed_media'
    | 'unsupported'
    | 'ignored'
    | 'converted'
    | 'invalid';
  /** Where: `caption`, `first_comment`, `media`, `media.2`. */
  readonly field: string;
  /** What of it, where the field's name does not say. */
  readonly part?: 'alt_text';
  readonly limit: string | number;
  readonly value: string | number;
  /** For the caller to read. */
  readonly message: string;
}

/** As much of a picture or video as is known before it is sent. */
export type CheckedMedia = Omit<ContentMedia, 'id' | 'publicUrl' | 'read'>;
export type CheckedContent = Omit<Content, 'media' | 'cover'> & { readonly media: readonly CheckedMedia[] };

/** In whose name an account posts, where a platform has both. */
export type AccountKind = 'member' | 'organization';

/**
 * Finds what no table can say: parts and options of a post that exclude each other, or that an account of this kind cannot have.
 * @param account undefined where nobody knows yet where the post goes, and where the platform's accounts are all alike
 */
export type CheckCombination = (content: CheckedContent, account?: AccountKind) => ContentFinding[];

/**
 * Finds what a platform may make of a post that it takes: warnings, which refuse nothing. Such as an option that this kind of post has no use for, and that is
 * left out: said of those that a post brings itself, not of what its account has in its settings.
 * @param hasMedia also where nobody knows yet what they are; then `content` has none
 */
export type Warn = (content: CheckedContent, hasMedia: boolean) => ContentFinding[];

/** That two things do not go together. */
export function unsupported(field: string, message: string): ContentFinding {
  return { rule: 'unsupported', field, limit: 0, value: 1, message };
}

/** That options are left out, those of them that are given. */
export function ignored(options: Content['options'], names: readonly string[], why: string): ContentFinding[] {
  return names
    .filter((name) => options?.[name] !== undefined && options[name] !== false)
    .map((name) => ({ rule: 'ignored', field: `options.${name}`, limit: 0, value: 1, message: `${why}; ${name} is not sent.` }));
}

/** That a title is left out, where there is one. */
export function untitled(title: string | undefined, why: string): ContentFinding[] {
  return title?.trim() ? [{ rule: 'ignored', field: 'title', limit: 0, value: 1, message: `${why}; the title is not sent.` }] : [];
}

import type { Content, ContentMedia } from '../connector.ts';

/** One violation of a platform's limits by a post. */
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
  /** The field: `caption`, `first_comment`, `media`, `media.2`. */
  readonly field: string;
  /** The part of the field, if the finding is about only a part. */
  readonly part?: 'alt_text';
  readonly limit: string | number;
  readonly value: string | number;
  /** The message for the caller. */
  readonly message: string;
}

/** What is known about an image or video before it is sent. */
export type CheckedMedia = Omit<ContentMedia, 'id' | 'publicUrl' | 'read'>;
export type CheckedContent = Omit<Content, 'media' | 'cover'> & { readonly media: readonly CheckedMedia[] };

/** Whether an account is a person or an organization, if a platform has both. */
export type AccountKind = 'member' | 'organization';

/**
 * Finds what the limits table cannot express: parts and options of a post that exclude each other, or that this kind of account cannot have.
 * @param account undefined when the target is not known yet, or when all accounts of the platform are alike
 */
export type CheckCombination = (content: CheckedContent, account?: AccountKind) => ContentFinding[];

/**
 * Finds warnings, which do not block a post: for example, an option that does not apply to this kind of post and is
 * not sent. Reported only for the post's own options, not for the account's settings.
 * @param hasMedia true even if their details are not known yet; `content` then has none
 */
export type Warn = (content: CheckedContent, hasMedia: boolean) => ContentFinding[];

/** A finding that two things exclude each other. */
export function unsupported(field: string, message: string): ContentFinding {
  return { rule: 'unsupported', field, limit: 0, value: 1, message };
}

/** Findings that given options are not sent. */
export function ignored(options: Content['options'], names: readonly string[], why: string): ContentFinding[] {
  return names
    .filter((name) => options?.[name] !== undefined && options[name] !== false)
    .map((name) => ({ rule: 'ignored', field: `options.${name}`, limit: 0, value: 1, message: `${why}; ${name} is not sent.` }));
}

/** A finding that a given title is not sent. */
export function untitled(title: string | undefined, why: string): ContentFinding[] {
  return title?.trim() ? [{ rule: 'ignored', field: 'title', limit: 0, value: 1, message: `${why}; the title is not sent.` }] : [];
}

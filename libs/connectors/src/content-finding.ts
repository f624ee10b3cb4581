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

/** Finds what no table can say: parts and options of a post that exclude each other. */
export type CheckCombination = (content: CheckedContent) => ContentFinding[];

/** That two things do not go together. */
export function unsupported(field: string, message: string): ContentFinding {
  return { rule: 'unsupported', field, limit: 0, value: 1, message };
}

import type { Score } from '@fanfare/contracts/generation';
import type { DesignContent } from '../../designs/design.ts';
import type { StoredMedia } from '../../media/stored-media.ts';
import type { CreativeFormat } from '../../formats.ts';
import type { Copy } from '../../writing/composer.ts';

/** A generated post, as far as its job has made it. */
export interface Draft {
  readonly index: number;
  readonly format: CreativeFormat;
  readonly copy?: Copy;
  /** BCP 47 language of the copy. */
  readonly language?: string;
  /** The pending job at a provider; absent when it is complete. */
  readonly provider_id?: string;
  readonly creative?: MadeCreative;
  /** Why the post cannot be generated, for the caller. */
  readonly failure?: string;
  readonly post?: MadePost;
}

/** The media of a post. */
export interface MadeCreative {
  /** The media files in the library, in order. */
  readonly media: readonly StoredMedia[];
  /** The cover of a video. */
  readonly cover?: StoredMedia;
  /** The design of the post, if a template renders its media. */
  readonly design?: DesignContent & { readonly theme_name: string };
  /** The search text of its image; empty if there was no search. */
  readonly image_keyword: string;
  /** The lowest contrast of a text on it. */
  readonly contrast?: number;
  /** How the result differs from the request. */
  readonly warning?: string;
}

interface MadePost {
  readonly id: string;
  readonly score: Score;
}

/** The field of a generated post in its job's document. */
export const draftKey = (index: number): string => `d${index}`;

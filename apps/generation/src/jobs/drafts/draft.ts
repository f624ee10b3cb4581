import type { Score } from '@fanfare/contracts/generation';
import type { DesignContent } from '../../designs/design.ts';
import type { StoredMedia } from '../../media/stored-media.ts';
import type { CreativeFormat } from '../../formats.ts';
import type { Copy } from '../../writing/composer.ts';

/** One of the posts that a job makes, as far as it is. */
export interface Draft {
  readonly index: number;
  readonly format: CreativeFormat;
  readonly copy?: Copy;
  /** BCP 47 language of the copy. */
  readonly language?: string;
  /** What a provider works on for it, until that is there. */
  readonly provider_id?: string;
  readonly creative?: MadeCreative;
  /** Why it cannot be made, for the caller. */
  readonly failure?: string;
  readonly post?: MadePost;
}

/** What a post shows. */
export interface MadeCreative {
  /** In the library, in order. */
  readonly media: readonly StoredMedia[];
  /** The cover of a video. */
  readonly cover?: StoredMedia;
  /** Of what is drawn by a template: the design that the post is going to have. */
  readonly design?: DesignContent & { readonly theme_name: string };
  /** What its image was looked for by; empty when none was. */
  readonly image_keyword: string;
  /** The lowest contrast of a text on it. */
  readonly contrast?: number;
  /** What is not as it was asked for. */
  readonly warning?: string;
}

export interface MadePost {
  readonly id: string;
  readonly score: Score;
}

/** Where a draft stands in its job. */
export const draftKey = (index: number): string => `d${index}`;

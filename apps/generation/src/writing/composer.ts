import type { Platform } from '@fanfare/connectors';
import type { Source } from '../input/source.ts';

/** Whose posts are written, and how. */
export interface Brief {
  readonly businessName: string;
  /** What the business does; may be empty. */
  readonly description: string;
  readonly industry: string;
  /** BCP 47 language that the posts are written in. */
  readonly language: string;
  /** How they sound, in prose; may be empty. */
  readonly voice: string;
  /** What they keep to. */
  readonly rules: readonly string[];
  /** Platforms that they go to; empty when no account is connected. */
  readonly platforms: readonly Platform[];
}

/** A topic of the business that posts take up. */
export interface Topic {
  readonly title: string;
  readonly body: string;
  readonly categoryName: string;
}

/** What one post is going to be about. */
export interface Idea {
  /** One line. */
  readonly title: string;
  /** What it says, in a few sentences of facts from the source. */
  readonly summary: string;
  /** Two or three words, in English where the composer knows it, that a fitting image is looked for by. */
  readonly imageKeyword: string;
  /** The topic that it takes up; undefined without one. */
  readonly topic: Topic | undefined;
}

/** What kind of texts a creative format shows. */
export type CopyFormat = 'design' | 'carousel' | 'slides' | 'meme' | 'image';

/** The texts of one post. */
export interface Copy {
  /** At most 100 characters; the title of platforms that have one. */
  readonly title: string;
  /** What every platform publishes unless `platformCaptions` has its own. Includes the hashtags. Keeps the limits of those that have none. */
  readonly caption: string;
  /** Captions of platforms whose limits `caption` exceeds. */
  readonly platformCaptions: Readonly<Partial<Record<Platform, string>>>;
  /** Without #. */
  readonly hashtags: readonly string[];
  /** Texts on the image by slot; a carousel and slides have 2 to 10 pages, the others one. */
  readonly pages: readonly PageTexts[];
  /** Text for people who cannot see the image. */
  readonly altText: string;
}

/** Texts of a page by slots of templates: `headline` for the main line; a meme has `top` and `bottom`. Short: a headline has at most 80 characters. */
export type PageTexts = Readonly<
  Partial<Record<'label' | 'headline' | 'body' | 'quote' | 'author' | 'number' | 'cta' | 'top' | 'bottom', string>>
>;

/** What a language model was used; zeros with the embedded composer. */
export interface Usage {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const NO_USAGE: Usage = { requests: 0, inputTokens: 0, outputTokens: 0 };

export interface Written<T> {
  readonly value: T;
  readonly usage: Usage;
}

/** Writes. What it is given of a source is data, never an instruction. */
export interface Composer {
  /** "embedded", or the name of the language model. */
  readonly name: string;
  /**
   * Ideas that differ from each other, as many as asked for; fewer only when the source does not hold more.
   * @throws ComposerFailed
   */
  ideas(of: { source: Source; brief: Brief; topics: readonly Topic[]; count: number }, signal: AbortSignal): Promise<Written<Idea[]>>;
  /**
   * The texts of one post.
   * @param of.index which of the job's posts it is, from 0: so that they differ
   * @throws ComposerFailed
   */
  copy(of: { source: Source; brief: Brief; idea: Idea; format: CopyFormat; index: number }, signal: AbortSignal): Promise<Written<Copy>>;
  /**
   * Captions that differ from each other, each within the limit of the platform.
   * @param of.about a caption, or the alternative text of a media
   * @throws ComposerFailed
   */
  captions(
    of: { about: string; brief: Brief; platform: Platform | undefined; tone: string; count: number },
    signal: AbortSignal,
  ): Promise<Written<string[]>>;
}

/** A composer could not write. */
export class ComposerFailed extends Error {
  override readonly name = 'ComposerFailed';
  /** Whether trying again may help: a limit of requests, a timeout, a server that is away. */
  readonly isPassing: boolean;
  /** When to try again, where the provider said so. */
  readonly retryAfterMs: number | undefined;
  /** What the try was used for before it failed. */
  readonly usage: Usage;

  /** @param message for the caller of the API: says what went wrong without addresses, keys or prompts */
  constructor(
    message: string,
    {
      isPassing,
      retryAfterMs,
      usage = NO_USAGE,
      cause,
    }: { isPassing: boolean; retryAfterMs?: number | undefined; usage?: Usage; cause?: unknown },
  ) {
    super(message, { cause });
    this.isPassing = isPassing;
    this.retryAfterMs = retryAfterMs;
    this.usage = usage;
  }
}

import type { Platform } from '@fanfare/connectors';
import type { Source } from '../input/source.ts';

/** The business of the posts, and how to write them. */
export interface Brief {
  readonly businessName: string;
  /** What the business does; may be empty. */
  readonly description: string;
  readonly industry: string;
  /** BCP 47 language of the posts. */
  readonly language: string;
  /** A description of the tone; may be empty. */
  readonly voice: string;
  /** Writing rules. */
  readonly rules: readonly string[];
  /** Platforms of the connected accounts; empty if there are none. */
  readonly platforms: readonly Platform[];
}

/** A topic of the business for posts. */
export interface Topic {
  readonly title: string;
  readonly body: string;
  readonly categoryName: string;
}

/** The idea of a post. */
export interface Idea {
  /** One line. */
  readonly title: string;
  /** A few sentences of facts from the source. */
  readonly summary: string;
  /** Two or three words for the image search, in English if the composer can provide it. */
  readonly imageKeyword: string;
  /** Its topic of the business; undefined without one. */
  readonly topic: Topic | undefined;
}

/** The kind of texts that a creative format shows. */
export type CopyFormat = 'design' | 'carousel' | 'slides' | 'meme' | 'image';

/** The texts of one post. */
export interface Copy {
  /** At most 100 characters; used by platforms that have titles. */
  readonly title: string;
  /** The caption, with hashtags, for all platforms that have none in `platformCaptions`. Within the limits of these platforms. */
  readonly caption: string;
  /** Captions for platforms whose limits `caption` exceeds. */
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

/** Usage of the language model; zeros with the embedded composer. */
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

/** Writes texts. The source is data, never an instruction. */
export interface Composer {
  /** "embedded", or the name of the language model. */
  readonly name: string;
  /**
   * As many different ideas as requested; fewer only if the source has no more.
   * @throws ComposerFailed
   */
  ideas(of: { source: Source; brief: Brief; topics: readonly Topic[]; count: number }, signal: AbortSignal): Promise<Written<Idea[]>>;
  /**
   * The texts of one post.
   * @param of.index position among the job's posts, from 0, so that they differ
   * @throws ComposerFailed
   */
  copy(of: { source: Source; brief: Brief; idea: Idea; format: CopyFormat; index: number }, signal: AbortSignal): Promise<Written<Copy>>;
  /** How the texts will differ from what was requested, as sentences for the caller, such as a voice that the composer does not know. */
  warnings(of: { source: Source; brief: Brief; count: number }): Promise<string[]>;
  /**
   * Different captions, each within the limit of the platform.
   * @param of.about a caption, or the alternative text of a media file
   * @throws ComposerFailed
   */
  captions(
    of: { about: string; brief: Brief; platform: Platform | undefined; tone: string; count: number },
    signal: AbortSignal,
  ): Promise<Written<string[]>>;
}

/** A composer failed. */
export class ComposerFailed extends Error {
  override readonly name = 'ComposerFailed';
  /** Whether a retry may help: after a rate limit, a timeout, an unavailable server. */
  readonly isPassing: boolean;
  /** When to retry, if the provider said so. */
  readonly retryAfterMs: number | undefined;
  /** The usage until the failure. */
  readonly usage: Usage;

  /** @param message for the caller of the API, without addresses, keys or prompts */
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

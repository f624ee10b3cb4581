/** What a platform accepts. A member that is absent is not limited, or not documented. */
export interface Limits {
  readonly text: TextLimit;
  /** Absent where the platform has no title. */
  readonly title?: TextLimit;
  /** Options without which nothing can be published. Each may stand in the account's settings instead: the options' schema has them as optional. */
  readonly needsOptions?: readonly string[];
  /** Whether media alone will not do: a title has to be there, or a caption to take it from. */
  readonly needsTitle?: boolean;
  /** The first comment's, where it is known. */
  readonly comment?: TextLimit;
  /** The link's address, where it is limited. */
  readonly link?: TextLimit;
  /** Whether a post without media can be published. */
  readonly textOnly: boolean;
  /** Pictures and videos together. */
  readonly maxMedia: number;
  /** Whether pictures and videos may stand in one post. */
  readonly mixedMedia: boolean;
  readonly images: {
    readonly max: number;
    readonly mimeTypes: readonly string[];
    readonly maxBytes?: number;
    readonly minBytes?: number;
    /** Of the shorter side, in pixels. */
    readonly minSide?: number;
    /** Of the longer side, in pixels. */
    readonly maxSide?: number;
    /** Width times height. */
    readonly maxPixels?: number;
    /** Of an animation. */
    readonly maxFrames?: number;
    /** Width divided by height. */
    readonly minRatio?: number;
    readonly maxRatio?: number;
    /** Where `image/gif` is treated apart from other pictures: it then stands alone, and has a size of its own. */
    readonly gif?: { readonly maxBytes: number; readonly maxWidth?: number; readonly maxHeight?: number };
  };
  readonly videos: {
    readonly max: number;
    readonly mimeTypes: readonly string[];
    readonly minBytes?: number;
    readonly maxBytes?: number;
    readonly minDurationMs?: number;
    readonly maxDurationMs?: number;
    /** Of the shorter side, in pixels. */
    readonly minSide?: number;
    readonly maxWidth?: number;
    readonly maxHeight?: number;
    /** Of the longer and of the shorter side, whichever of them is the width, in pixels. */
    readonly maxLongerSide?: number;
    readonly maxShorterSide?: number;
    /** Pictures a second. */
    readonly minFrameRate?: number;
    readonly maxFrameRate?: number;
    /** The caption's limit beside a video, where that differs. */
    readonly text?: TextLimit;
    readonly minRatio?: number;
    readonly maxRatio?: number;
  };
  readonly maxAltTextLength?: number;
  /** Whether the alt text of a video is sent too, and not only those of pictures. */
  readonly videoAltText?: boolean;
  /** Whether the link is shown, and if only without media; absent where it never is. */
  readonly showsLink?: 'always' | 'without_media';
  /** Whether nobody can comment on such a post. */
  readonly noComments?: boolean;
  /** Whether a link without a text or media is something to publish. */
  readonly linkAlone?: boolean;
  /** Whether what the options say is something to publish without a text or media: an event has a title and a time. */
  readonly optionsAlone?: boolean;
  /** Whether the link stands behind the caption, and counts as part of it. */
  readonly appendsLink?: boolean;
  /** What differs by the options, such as `kind`: those whose `when` they have replace the members that they name, the later ones last. */
  readonly variants?: readonly LimitsVariant[];
}

export interface LimitsVariant {
  readonly when: Readonly<Record<string, string | boolean>>;
  readonly limits: Partial<Omit<Limits, 'variants'>>;
}

/** The limits that hold with these options. */
export function limitsFor(limits: Limits, options: Readonly<Record<string, unknown>> = {}): Limits {
  const fitting = (limits.variants ?? []).filter(({ when }) => Object.entries(when).every(([name, value]) => options[name] === value));
  return fitting.reduce<Limits>((all, variant) => ({ ...all, ...variant.limits }), limits);
}

export interface TextLimit {
  readonly max: number;
  /** How the platform counts; see `countText`. */
  readonly unit: TextUnit;
  readonly maxHashtags?: number;
  readonly maxMentions?: number;
  readonly maxCashtags?: number;
  /** Characters that are refused wherever they stand. */
  readonly forbidden?: readonly string[];
}

export type TextUnit = 'code_points' | 'utf16' | 'utf8_bytes' | 'x_weighted' | 'little_text';

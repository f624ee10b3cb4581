/** What a platform accepts. An absent member means no limit, or none documented. */
export interface Limits {
  readonly text: TextLimit;
  /** Absent if the platform has no title. */
  readonly title?: TextLimit;
  /** Required options. Each may be in the account's settings instead, so the options' schema has them as optional. */
  readonly needsOptions?: readonly string[];
  /** Whether a title is required, or a caption to use as the title. */
  readonly needsTitle?: boolean;
  /** The limit of the first comment, if known. */
  readonly comment?: TextLimit;
  /** The limit of the link's URL. */
  readonly link?: TextLimit;
  /** Whether a post without media can be published. */
  readonly textOnly: boolean;
  /** Images and videos together. */
  readonly maxMedia: number;
  /** Whether one post may contain images and videos. */
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
    /** If `image/gif` is treated differently from other images: it must be the only media, and has its own limits. */
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
    /** Frames per second. */
    readonly minFrameRate?: number;
    readonly maxFrameRate?: number;
    /** The limit of a video's caption, if it differs. */
    readonly text?: TextLimit;
    readonly minRatio?: number;
    readonly maxRatio?: number;
  };
  readonly maxAltTextLength?: number;
  /** Whether the alt text of a video is sent too, not only those of images. */
  readonly videoAltText?: boolean;
  /** Whether the link is shown, and if only without media; absent if it never is. */
  readonly showsLink?: 'always' | 'without_media';
  /** Whether such a post cannot have comments. */
  readonly noComments?: boolean;
  /** Whether a link without text or media can be published. */
  readonly linkAlone?: boolean;
  /** Whether the options can be published without text or media: an event has a title and a time. */
  readonly optionsAlone?: boolean;
  /** Whether the link is appended to the caption and counts towards its limit. */
  readonly appendsLink?: boolean;
  /** Limits that depend on options, such as `kind`: each variant whose `when` matches replaces the members that it names; later ones win. */
  readonly variants?: readonly LimitsVariant[];
}

export interface LimitsVariant {
  readonly when: Readonly<Record<string, string | boolean>>;
  readonly limits: Partial<Omit<Limits, 'variants'>>;
}

/** The limits that apply with these options. */
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
  /** Characters that the text must not contain. */
  readonly forbidden?: readonly string[];
}

export type TextUnit = 'code_points' | 'utf16' | 'utf8_bytes' | 'x_weighted' | 'little_text';

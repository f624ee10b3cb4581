/** Something that calls platforms, again and again in the same way: publishing in one way, removing from one platform. */
export interface Scene {
  /** `x images` */
  readonly name: string;
  /** The platforms that it calls. Scenes that share one do not run at the same time. */
  readonly platforms: readonly string[];
  /** Whether it removes posts. A publisher removes only a few posts of an organization at the same time, so that few calls can be held. */
  readonly removes?: true;
  /** The result if nothing happens. */
  readonly onGoodDay: string;
  /** Makes a post with which it can begin. */
  prepare(): Promise<Run>;
}

/** A scene with one post. */
export interface Run {
  readonly postId: string;
  begin(): Promise<unknown>;
  hasEnded(): Promise<boolean>;
  /** When calls that make it public began. */
  attempts(): Promise<readonly { readonly platform: string; readonly at: string }[]>;
  /** What is being done now; undefined if nothing is. */
  where(): Promise<Place | undefined>;
  /** Where a call failed or got no response, by the timeline; undefined if none did. */
  whereItFailed(): Promise<Place | undefined>;
  /** What became of it, after it has ended. */
  check(place: Place | undefined): Promise<Verdict>;
}

/** A step of a delivery or a removal. */
export interface Place {
  readonly platform: string;
  /** `publish_media` */
  readonly step: string;
  /** Whether it makes the post public: only a fault here may leave the outcome unknown. */
  readonly isCommit: boolean;
}

export interface Verdict {
  /** `success`, `unknown_outcome`, … */
  readonly result: string;
  /** What must not be, each in a sentence. */
  readonly wrong: readonly string[];
}

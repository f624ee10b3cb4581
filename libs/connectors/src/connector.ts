import type { ApiVersion } from './calls/api-version.ts';
import type { Quota } from './quota.ts';
import type { LoginName, OAuth } from './oauth.ts';
import type { PlatformHttp } from './calls/http.ts';
import type { Platform } from './platform.ts';
import type { PlatformRules } from './platform-rules.ts';
import type { ReadCalls } from './reading/read-calls.ts';
import type { Reading } from './reading/reading.ts';

/**
 * The contract between the publishing engine and a platform.
 *
 * A connector is pure apart from the HTTP client that it is given: it has no database, no clock and no retries. It decides what comes
 * next and how to do it; the engine stores the state before and after each step, so that any other process can continue from there.
 */
export interface Connector extends PlatformRules {
  readonly platform: Platform;
  /**
   * The only hosts that a token may be sent to; a leading dot means all subdomains. URLs in a platform's responses are checked against
   * it, so that no response can send our credentials elsewhere.
   */
  readonly hosts: readonly string[];
  /** If requests name a version of the platform's API in a header: those marked `versioned` do. */
  readonly apiVersion?: ApiVersion;
  readonly oauth: OAuth;
  /** If a platform has several logins: all of `loginMethods` by name, `oauth` first. Each requires its own app. */
  readonly logins?: Readonly<Record<LoginName, OAuth>>;
  readonly publish: Publishing;
  /** Absent if the platform's API cannot delete posts; the capability `unpublish` says the same. */
  readonly unpublish?: Unpublish;
  /** Absent if the platform provides no statistics. */
  readonly reading?: Reading;
  /** How many calls its reads make; absent if each makes one. */
  readonly readCalls?: ReadCalls;
  /** The platform's quotas that are small enough to be reserved before the call. */
  readonly quotas?: readonly Quota[];
  /**
   * Lists the values that an account can choose from, by option: its boards for `board_id`. Only for options whose values belong to the account; absent
   * if a platform has none.
   */
  readonly choices?: Readonly<Record<string, ListChoices>>;
}

/**
 * One page of the values that the account can choose from. `given` are the options chosen already: sections depend on the chosen board.
 * @param request.cursor `next` of the previous page, absent for the first
 * @throws PlatformFailure `validation`, `not_sent`, when another option is required first
 */
export type ListChoices = (call: Call, request: { readonly given: Options; readonly cursor?: string }) => Promise<ChoicePage>;

export interface ChoicePage {
  readonly items: readonly Choice[];
  /** Absent on the last page. The platform's own cursor; opaque. */
  readonly next?: string;
}

export interface Choice {
  /** The value for the option. */
  readonly value: string;
  /** The name to show to people. */
  readonly label: string;
}

/** What one delivery sends: the post's content with this platform's override already applied. */
export interface Content {
  readonly caption: string;
  readonly title?: string;
  readonly link?: string;
  /** Not blank. */
  readonly firstComment?: string;
  readonly media: readonly ContentMedia[];
  readonly cover?: ContentMedia;
  readonly videoCoverTimestampMs?: number;
  /** As the connector's `options` describe them: the override's, over the account's settings. */
  readonly options?: Options;
}

/** Validated by the connector's `options` before it was stored; a connector parses it again to read it, so that defaults are in one place. */
export type Options = Readonly<Record<string, unknown>>;

/** An image or video, already stored and probed by the library. */
export interface ContentMedia {
  readonly id: string;
  readonly type: 'image' | 'video';
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  readonly durationMs?: number;
  /** Frames of an animation; 1 for a still image; absent when unknown. */
  readonly frames?: number;
  /** Frames per second of a video; absent when unknown. */
  readonly frameRate?: number;
  readonly altText: string;
  /** A public, signed URL from which the platform can download the bytes. */
  readonly publicUrl: string;
  /** Reads bytes `start` to `end` (both included) from our storage. */
  read(start: number, end: number): Promise<Buffer>;
}

/** The connected account that a call acts for. */
export interface Account {
  /** The platform's id of the account: page id, Instagram user id, X user id, LinkedIn URN, `accounts/…/locations/…`. */
  readonly accountId: string;
  readonly username: string;
  readonly accessToken: string;
  /** The login that the token comes from, if not the platform's default one: it decides how calls are made. */
  readonly login?: LoginName;
  /** As `OAuth.prove` made it. */
  readonly tokenProof?: string;
}

/** The arguments of a step. None of our app's secrets are among them. */
export interface Call {
  readonly http: PlatformHttp;
  readonly account: Account;
}

/** Progress of a delivery, in the connector's own terms. JSON; stored by the engine after every step. */
export type State = Readonly<Record<string, unknown>>;

/**
 * One call, or a few, to the platform.
 *
 * - `prepare`: invisible to others and repeatable: uploads, containers, polls.
 * - `commit`: makes the post public. Exactly one HTTP request, marked `commit: true` (one more for each version of the API that the platform rejects: `ApiVersion`); the engine gives it a deadline and never repeats it blindly.
 * - `follow_up`: after the commit: waits for the platform to finish, reads the permalink, adds the first comment.
 */
export type Step = MainStep | FollowUp;

export interface MainStep {
  /** Stable, for logs and metrics: `create_container`. */
  readonly name: string;
  readonly kind: 'prepare' | 'commit';
  /**
   * The quota of the connector, by name, of which an amount is reserved before this step runs. Several steps of a post may name it: what a post uses is
   * reserved once. If the platform rejects such a step as `rate_limited`, the quota is used up.
   */
  readonly spends?: { readonly quota: string; readonly amount: number };
  /** @throws PlatformFailure */
  run(call: Call): Promise<StepResult>;
}

export interface FollowUp {
  readonly name: string;
  readonly kind: 'follow_up';
  /**
   * False for what others can see, such as the first comment: it runs at most once. The engine stores that it begins; if its outcome is
   * unknown (lost response, killed process), it does not retry but continues from `givenUp` and records a warning. A failure that was `not_sent`
   * or `rejected` may be retried like any other.
   */
  readonly repeatable: boolean;
  /** The state to continue from if the engine gives up this step, so that the post is still reported. */
  readonly givenUp: State;
  /**
   * @throws PlatformFailure. It never fails the post, with two exceptions, in which the platform itself says that the post was not created after
   * all: `media_processing_failed` fails the delivery, and a failure with `retryFrom` is treated as if the commit had been rejected with it.
   */
  run(call: Call): Promise<StepResult>;
}

export interface StepResult {
  /** Replaces the state. After a `commit` it must contain what `next` needs to report the post as published. */
  readonly state: State;
  /** Call `next` again only after this long. */
  readonly waitMs?: number;
  /** Set from the `commit` on, if its response names the post: no other delivery can then claim that post. */
  readonly publishId?: string;
}

/** The post is on the platform. */
export interface Published {
  /** The platform's id of the post, by which its statistics can be read. */
  readonly publishId: string;
  readonly postUrl?: string;
  /** A message for the author about a post that counts as a success. */
  readonly warning?: string;
}

export type Next = { readonly step: Step } | { readonly published: Published };

/** A post on the platform that matches an ambiguous commit. */
export interface Candidate {
  readonly publishId: string;
  /** The state to continue from if this post is ours. */
  readonly state: State;
}

/**
 * The result of reading the platform about an ambiguous commit. A list without the post proves nothing: `proof` is `none`.
 * The engine drops candidates that belong to other deliveries; one left means found, none or several leave the outcome unknown.
 */
export interface Finding {
  /**
   * `published` and `not_published` only by the platform's own state, such as an Instagram container's. `published` without exactly one
   * candidate: the post exists, its id is unknown.
   */
  readonly proof: 'published' | 'not_published' | 'none';
  readonly candidates: readonly Candidate[];
  /** With `not_published`: the state to continue from, if the one that the commit was sent from cannot be used again. */
  readonly retryFrom?: State;
  /** The platform does not let apps read such posts: nothing was read, and a later call would read nothing either. */
  readonly isUnreadable?: true;
}

export interface Publishing {
  /** How long the commit request may take, in milliseconds. */
  readonly commitTimeoutMs: number;
  /** The settle time: milliseconds after the commit's deadline from which reading the platform is meaningful. */
  readonly settleMs: number;
  /** Decides what comes next from the stored state. Pure. `state` is `{}` at the start. */
  next(content: Content, state: State): Next;
  /**
   * Looks for the post of an ambiguous commit: newer than `committedAfter` (by the database's clock; allow for skew), same content.
   * `state` is the one stored before the commit.
   * @throws PlatformFailure when the platform cannot be read; the engine tries again later.
   */
  findPublished(call: Call, content: Content, state: State, committedAfter: Date): Promise<Finding>;
}

/**
 * Deletes a published post from the platform. Repeatable, and therefore no commit: if the platform says that there is no such post, it is deleted, whoever
 * did it. Returns only if the platform says so.
 * @param publishId the platform's id of the post (`Published.publishId`)
 * @throws PlatformFailure; after one with the effect `unknown` or `not_sent`, the engine calls it again
 */
export type Unpublish = (call: Call, publishId: string) => Promise<void>;

export type Capability = 'publish' | 'first_comment' | 'account_stats' | 'post_stats' | 'drafts' | 'unpublish';

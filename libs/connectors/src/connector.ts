import type { Quota } from './quota.ts';
import type { FeatureScopes } from './features.ts';
import type { PlatformHttp } from './http.ts';
import type { Platform } from './platform.ts';
import type { PlatformRules } from './platform-rules.ts';

/**
 * The contract between the publishing engine and a platform.
 *
 * A connector is pure apart from the HTTP client that it is handed: it has no database, no clock of its own and no retries. It says what comes
 * next and how to do it; the engine writes down the state before and after each step, so that any other process can go on from there.
 */
export interface Connector extends PlatformRules {
  readonly platform: Platform;
  /**
   * The only hosts that a token may be sent to; a leading dot stands for every subdomain. URLs that a platform answers with are held against
   * it, so that no answer can lead our credentials elsewhere.
   */
  readonly hosts: readonly string[];
  readonly oauth: OAuth;
  /** Where people can sign in in several ways: all of `waysIn` by name, `oauth` first. Each takes an app of its own, whose `login` its calls go by. */
  readonly logins?: Readonly<Record<LoginName, OAuth>>;
  readonly publish: Publishing;
  /** What the platform lets us do in a window of time, where that is so little that it is held before the call. */
  readonly quotas?: readonly Quota[];
  /**
   * What an account can choose from, by the name of the option: its boards for `board_id`. Only for options whose values are the account's own; absent
   * where a platform has none.
   */
  readonly choices?: Readonly<Record<string, ListChoices>>;
}

/**
 * One page of what the account can choose from. `given` are the options that are chosen already: the sections are those of the chosen board.
 * @param request.cursor `next` of the page before, absent for the first
 * @throws PlatformFailure `validation`, `not_sent`, when another option has to be chosen first
 */
export type ListChoices = (call: Call, request: { readonly given: Options; readonly cursor?: string }) => Promise<ChoicePage>;

export interface ChoicePage {
  readonly items: readonly Choice[];
  /** Absent on the last page. The platform's own cursor; opaque. */
  readonly next?: string;
}

export interface Choice {
  /** What to put into the option. */
  readonly value: string;
  /** What people know it by. */
  readonly label: string;
}

/** What one delivery sends: the post's content with this platform's override already applied. */
export interface Content {
  readonly caption: string;
  readonly title?: string;
  readonly link?: string;
  /** With a word in it. */
  readonly firstComment?: string;
  readonly media: readonly ContentMedia[];
  readonly cover?: ContentMedia;
  readonly videoCoverTimestampMs?: number;
  /** As the connector's `options` describe them: the override's, over the account's settings. */
  readonly options?: Options;
}

/** Checked by the connector's `options`, before it was stored; a connector parses it again to read it, so that defaults stand in one place. */
export type Options = Readonly<Record<string, unknown>>;

/** A picture or video, already stored and probed by us. */
export interface ContentMedia {
  readonly id: string;
  readonly type: 'image' | 'video';
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  readonly durationMs?: number;
  /** Of an animation; 1 for a still picture; absent where it is not known. */
  readonly frames?: number;
  /** Pictures a second, of a video; absent where it is not known. */
  readonly frameRate?: number;
  readonly altText: string;
  /** A public, signed URL that the platform can pull the bytes from. */
  readonly publicUrl: string;
  /** Reads bytes `start` to `end` (both included), as they stand in our storage. */
  read(start: number, end: number): Promise<Buffer>;
}

/** The connected account that a call acts for. */
export interface Account {
  /** The platform's id of the account: page id, Instagram user id, X user id, LinkedIn URN, `accounts/…/locations/…`. */
  readonly accountId: string;
  readonly username: string;
  readonly accessToken: string;
}

/** What a step is handed to act with. */
export interface Call {
  readonly http: PlatformHttp;
  readonly account: Account;
  /** Our app's registration: some platforms want calls signed with its secret. */
  readonly app: OAuthApp;
}

/** Where a delivery stands, in the connector's own terms. JSON; written down by the engine after every step. */
export type State = Readonly<Record<string, unknown>>;

/**
 * One call, or a few, to the platform.
 *
 * - `prepare`: nothing of it is visible to anyone, and it may be repeated: uploads, containers, polls.
 * - `commit`: makes the post public. Exactly one HTTP request, marked `commit: true`; the engine gives it a deadline and never repeats it blindly.
 * - `follow_up`: after the commit: waits until the platform has finished, reads the permalink, adds the first comment.
 */
export type Step = MainStep | FollowUp;

export interface MainStep {
  /** Stable, for logs and metrics: `create_container`. */
  readonly name: string;
  readonly kind: 'prepare' | 'commit';
  /**
   * What has to be reserved of one of the connector's quotas, by its name, before this runs. Several steps of a post may say so: what a post spends is
   * reserved once. When the platform refuses such a step as `rate_limited`, that quota is used up.
   */
  readonly spends?: { readonly quota: string; readonly amount: number };
  /** @throws PlatformFailure */
  run(call: Call): Promise<StepResult>;
}

export interface FollowUp {
  readonly name: string;
  readonly kind: 'follow_up';
  /**
   * False for what others can see, such as the first comment: at most once. The engine writes down that it begins, and when its outcome is
   * unknown (lost answer, killed process) it does not try again but goes on from `givenUp` and records a warning. A failure that was `not_sent`
   * or `refused` may be tried again like any other.
   */
  readonly repeatable: boolean;
  /** The state to go on from when the engine gives this step up, so that the post is still reported. */
  readonly givenUp: State;
  /**
   * @throws PlatformFailure. It never fails the post, with two exceptions, both the platform's own word that the post did not come about after
   * all: `media_processing_failed` fails the delivery, and a failure with `retryFrom` is treated as if the commit had been refused with it.
   */
  run(call: Call): Promise<StepResult>;
}

export interface StepResult {
  /** Replaces the state. After a `commit` it must hold what `next` needs to report the post as published. */
  readonly state: State;
  /** Ask `next` again only after this long. */
  readonly waitMs?: number;
  /** Set from the `commit` on, where its answer names the post: no other delivery can take that post for its own then. */
  readonly publishId?: string;
}

/** The post is on the platform. */
export interface Published {
  /** The platform's id of the post, with which its statistics can be read. */
  readonly publishId: string;
  readonly postUrl?: string;
  /** What its author should know of it, although it counts as a success: for people to read. */
  readonly warning?: string;
}

export type Next = { readonly step: Step } | { readonly published: Published };

/** A post on the platform that looks like the one whose commit got lost. */
export interface Candidate {
  readonly publishId: string;
  /** The state to go on from when this one is ours. */
  readonly state: State;
}

/**
 * What reading the platform tells of a commit whose answer was lost. A list that lacks the post proves nothing: `proof` stays `none`.
 * The engine drops the candidates that belong to other deliveries; one left means found, none or several mean that nobody can tell.
 */
export interface Finding {
  /**
   * `published` and `not_published` only by the platform's own state, such as an Instagram container's. `published` without exactly one
   * candidate: the post stands, its id is not known.
   */
  readonly proof: 'published' | 'not_published' | 'none';
  readonly candidates: readonly Candidate[];
  /** With `not_published`: the state to go on from, where the one that the commit was sent from may not serve again. */
  readonly retryFrom?: State;
}

export interface Publishing {
  /** How long the commit request may take, in milliseconds. */
  readonly commitTimeoutMs: number;
  /** How long after the commit's deadline reading the platform begins to mean something, in milliseconds. */
  readonly settleMs: number;
  /** What comes next, decided from what is written down. Pure. `state` is `{}` at the start. */
  next(content: Content, state: State): Next;
  /**
   * Looks for a post whose commit got lost: newer than `committedAfter` (by the database's clock; allow for skew), same content.
   * `state` is the one written down before the commit.
   * @throws PlatformFailure when the platform cannot be read; the engine tries again later.
   */
  findPublished(call: Call, content: Content, state: State, committedAfter: Date): Promise<Finding>;
}

/** A way to sign in, where a platform has several: whose login it is, one of `LOGIN_NAMES`. */
export type LoginName = string;

/** Our app's registration with a platform. */
export interface OAuthApp {
  /** The way to sign in that it is for, where that is not the platform's usual one: its tokens work nowhere else. */
  readonly login?: LoginName;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What to ask people for instead of what the features take: platforms refuse logins of an app that asks for more than it was approved for. */
  readonly scopes?: readonly string[];
}

/** Tokens as the platform granted them. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** When the access token ends, counted from the platform's answer, in milliseconds; absent when it does not end. */
  readonly expiresInMs?: number;
  /** When nothing can be renewed with the refresh token any more, counted in the same way; absent when it does not end, or the platform does not tell. */
  readonly refreshExpiresInMs?: number;
  readonly scopes: readonly string[];
}

/** An account that a login grants, with the tokens to act for it. */
export interface GrantedAccount {
  readonly accountId: string;
  readonly username: string;
  readonly displayName: string;
  /** Name of the page behind the account; empty where the platform has none. */
  readonly page: string;
  readonly pictureUrl?: string;
  /** The platform's id of the person who logged in, as our app sees it, where what happens to that person's access is a matter of several accounts. */
  readonly userId?: string;
  /** As `OAuth.observe` tells it. */
  readonly observed?: Options;
  readonly tokens: Tokens;
}

/** OAuth 2.0 authorization code flow, as the platform speaks it. */
export interface OAuth {
  /** The scopes that each feature takes: people are asked for those of the features that are switched on (`features.ts`). */
  readonly features: FeatureScopes;
  /** The same of one account, where those of one login differ in it, such as a person's own and the pages. Where it is absent, `features` holds for all. */
  featuresOf?(accountId: string): FeatureScopes;
  readonly pkce: boolean;
  authorizeUrl(app: OAuthApp, request: { redirectUri: string; state: string; codeChallenge?: string }): string;
  /** Exchanges the code, makes the token long-lived where the platform offers it, and lists every account that the login grants. */
  exchangeCode(
    http: PlatformHttp,
    app: OAuthApp,
    request: { code: string; redirectUri: string; codeVerifier?: string },
  ): Promise<readonly GrantedAccount[]>;
  /**
   * Gets fresh tokens. A refresh token that the answer leaves out stays valid: keep the old one.
   * @param account.tokens `expiresInMs` is what is left of the access token, where that is known
   * @throws PlatformFailure `token_expired` when the grant is gone for good, `transient` when it may work later.
   */
  refresh(http: PlatformHttp, app: OAuthApp, account: { accountId: string; tokens: Tokens }): Promise<Tokens>;
  /**
   * What the platform says of the account itself, in the words of its options, such as whether it subscribes: it holds where neither the post nor the account's
   * settings say otherwise. Read when the account is connected, and when somebody asks for a refresh; absent where nothing of that kind can be read.
   * @throws PlatformFailure
   */
  observe?(http: PlatformHttp, account: { accessToken: string }): Promise<Options>;
  /** The platforms whose accounts lose their access with `revoke`, whoever connected them, when they are the same person's. */
  readonly revokes?: readonly Platform[];
  /**
   * Takes our access back, where the platform can be asked to. What is gone already is no failure.
   * @throws PlatformFailure
   */
  revoke?(http: PlatformHttp, app: OAuthApp, account: { accountId: string; tokens: Tokens }): Promise<void>;
}

export type Capability = 'publish' | 'first_comment' | 'account_stats' | 'post_stats' | 'drafts';

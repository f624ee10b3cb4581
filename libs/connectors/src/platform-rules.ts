import type { z } from 'zod';
import type { AccountKind, CheckCombination, Warn } from './checks/check-content.ts';
import type { Capability, Options } from './connector.ts';
import type { Limits } from './limits.ts';
import type { ReadingRules } from './reading/reading.ts';
import type { RuleSubject } from './checks/source-of.ts';

/**
 * The rules of a platform that apply without sending anything. Separate from the connector, which includes them, so that code that only
 * checks posts (content, the gateway, a web page) does not load the publishing code.
 */
export interface PlatformRules {
  /** Its name as people write it. */
  readonly label: string;
  /** Aliases that callers may use, in lower case. */
  readonly aliases?: readonly string[];
  /** Its owner, if one company sends us requests about the people of several platforms: Meta sends signed requests (`graph/signed-request.ts`). */
  readonly company?: 'meta';
  /** If there are several logins: all of them, the default one first. */
  readonly loginMethods?: readonly SignIn[];
  /** What the platform accepts, as data: the request builder and the preflight check read the same table. */
  readonly limits: Limits;
  /** What the table cannot express: parts and options of a post that exclude each other. */
  readonly check?: CheckCombination;
  /** The kind of an account, for `check`, if the platform has several kinds. */
  accountKind?(accountId: string): AccountKind;
  /** Warnings about parts of a post that are not sent, or risky. */
  readonly warn?: Warn;
  /**
   * Options without a common field: a board, a privacy level. A strict object: callers set it as `options` of an
   * override or as `settings` of an account, and its messages are reported to them. Every member has a description, for the OpenAPI document.
   */
  readonly options: z.ZodObject;
  /** The options that are links, as paths, such as `['call_to_action', 'url']`: link tracking applies to them. */
  readonly linkOptions?: readonly (readonly string[])[];
  /** The names of the options whose values are listed for an account: those of the connector's `choices`. Absent if there are none. */
  readonly optionsWithChoices?: readonly string[];
  /** The capabilities that its accounts can have; an integration lists those of one account. */
  readonly capabilities: readonly Capability[];
  /** The statistics that it provides; absent if there are none. */
  readonly readingRules?: ReadingRules;
  /** The video covers that it accepts, by the fields of a post. */
  readonly covers?: readonly CoverField[];
  /** How many posts an account may have in a rolling window, if every post counts; absent if there is no such limit. */
  readonly postQuota?: PostQuota;
  /** The platform's own page about posts. */
  readonly source: string;
  /** Its other documentation pages, by the subject of a rule. */
  readonly sources?: Readonly<Partial<Record<RuleSubject, string>>>;
  /** Its documentation pages about single options, by name. */
  readonly optionSources?: Readonly<Record<string, string>>;
}

export interface PostQuota {
  readonly limit: number;
  readonly windowMs: number;
  /** Whether a post with these options counts; absent: every post does. */
  isUsedBy?(options: Options): boolean;
}

export interface SignIn {
  /** The name of the login in the API. */
  readonly login: string;
  /** The accounts that it connects, in words, for the OpenAPI document. */
  readonly accounts: string;
  /** The name of its app in PLATFORM_APPS, if it differs from the platform's. */
  readonly app?: string;
  /** Whether the account itself signs in, not a person. */
  readonly personIsAccount?: true;
}

export type CoverField = 'cover_media_id' | 'video_cover_timestamp_ms';

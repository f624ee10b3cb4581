import type { z } from 'zod';
import type { AccountKind, CheckCombination, Warn } from './check-content.ts';
import type { Capability } from './connector.ts';
import type { Limits } from './limits.ts';
import type { RuleSubject } from './source-of.ts';

/**
 * What can be said of a platform, and of a post for it, without sending anything. Apart from the connector, which has all of it too, so that who only
 * checks a post (content, the gateway, a web page) does not load what publishes it.
 */
export interface PlatformRules {
  /** Its name as people write it. */
  readonly label: string;
  /** What callers may call it besides, in small letters. */
  readonly aliases?: readonly string[];
  /** Who owns it, where one company tells us of the people of several platforms: Meta does by signed requests (`graph/signed-request.ts`). */
  readonly company?: 'meta';
  /** Where people can sign in in several ways: all of them, the usual one first. */
  readonly loginMethods?: readonly SignIn[];
  /** What the platform accepts, as data: the request builder and the preflight check read the same table. */
  readonly limits: Limits;
  /** What the table cannot say: parts and options of a post that exclude each other. */
  readonly check?: CheckCombination;
  /** What `check` goes by besides, where accounts of this platform are of several kinds. */
  accountKind?(accountId: string): AccountKind;
  /** What of a post is left out, or risky. */
  readonly warn?: Warn;
  /**
   * What this platform needs or offers and the contract has no field for: a board, a privacy level. A strict object: callers give it as `options` of an
   * override, or as `settings` of an account, and hear of what is wrong by its messages. Every member has a description, for the OpenAPI document.
   */
  readonly options: z.ZodObject;
  /** What accounts of it can do here; which of that one of them can, its integration says. */
  readonly capabilities: readonly Capability[];
  /** The covers of a video that it takes, by the fields in which a post gives them. */
  readonly covers?: readonly CoverField[];
  /** The platform's own page about posts. */
  readonly source: string;
  /** Its pages about what that one does not tell, by what a rule is about. */
  readonly sources?: Readonly<Partial<Record<RuleSubject, string>>>;
  /** Its pages about single options, by their names. */
  readonly optionSources?: Readonly<Record<string, string>>;
}

export interface SignIn {
  /** Whose login it is, as callers name it. */
  readonly login: string;
  /** The app that it takes, by its name in an operator's settings, where that is not the platform's own. */
  readonly app?: string;
  /** The account itself signs in, and no person behind it. */
  readonly personIsAccount?: true;
}

export type CoverField = 'cover_media_id' | 'video_cover_timestamp_ms';

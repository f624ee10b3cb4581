import type { Config } from '../config.ts';
import type { Spool } from '../media/spool.ts';
import type { Call } from '../wire/call.ts';
import type { Reply } from '../wire/reply.ts';
import type { Account, World } from '../world/world.ts';
import type { Card } from './card.ts';
import type { PlatformName } from './platform-name.ts';

/** What an operation may use. */
export interface Sandbox {
  world: World;
  config: Config;
  spool: Spool;
}

/** One call of a platform's protocol, by the name under which faults and the journal know it. */
export interface Operation {
  /** `facebook.create_feed_post` */
  name: string;
  hosts: readonly string[];
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** See `matchPath`. */
  path: string;
  /** Where one path serves several operations: is it this one? */
  when?: (call: Call, sandbox: Sandbox) => boolean;
  /** It starts background work, which the faults slow_processing and processing_error concern. */
  processes?: true;
  handle: (call: Call, sandbox: Sandbox) => Promise<Reply> | Reply;
}

/** A pretend platform: one folder under `platforms/`, one line in the registry. */
export interface Platform {
  name: PlatformName;
  /** As people write it. */
  label: string;
  /** The hosts whose unknown paths this platform answers. */
  hosts: readonly string[];
  /** In the order in which they are tried. */
  operations: readonly Operation[];
  /** Its operations recognise their own ids: they are asked before those of a platform that it shares a host with. */
  knowsItsOwn?: true;
  /** People remove apps in Meta's settings, which tell the apps so. */
  isMetas?: true;
  /** Where people can sign in in several ways: the others than the usual one, each with an app of its own. */
  otherLogins?: readonly { readonly login: string; readonly app: string }[];
  /** The answer to a path or method that the host does not have. */
  notFound: (call: Call) => Reply;
  /** The answer to a token that its owner took back. */
  revokedToken: () => Reply;
  /** The platform's own error with that status, for faults that name no body. */
  refusal: (status: number) => Reply;
  /** Something broke in the sandbox itself: the platform's 500. */
  internalError: () => Reply;
  createAccount: (sandbox: Sandbox, fields: { username: string; name: string }) => Account;
  /** How its posts look. */
  card: Card;
  /** The account that every new sandbox has. */
  demo: { username: string; name: string };
}

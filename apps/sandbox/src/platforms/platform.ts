import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { Spool } from '../media/spool.ts';
import type { Call } from '../wire/call.ts';
import type { Reply } from '../wire/reply.ts';
import type { DayCounts, PostCounts } from '../world/statistics.ts';
import type { Account, World } from '../world/world.ts';
import type { Card } from '../pages/card.ts';
import type { ProviderName } from '../providers/provider-name.ts';
import type { PlatformName } from './platform-name.ts';

/** The dependencies of an operation. */
export interface Sandbox {
  world: World;
  config: Config;
  spool: Spool;
}

/** One call of a platform's protocol, by the name that faults and the journal use. */
export interface Operation {
  /** `facebook.create_feed_post` */
  name: string;
  hosts: readonly string[];
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** See `matchPath`. */
  path: string;
  /** If several operations share a path: whether it is this one. */
  when?: (call: Call, sandbox: Sandbox) => boolean;
  /** Whether it starts background processing, to which the faults slow_processing and processing_error apply. */
  processes?: true;
  handle: (call: Call, sandbox: Sandbox) => Promise<Reply> | Reply;
}

export type SimulatedName = PlatformName | ProviderName;

/** Anything that is simulated by its wire protocol. */
export interface Simulated {
  name: SimulatedName;
  /** The hosts for whose unknown paths it responds. */
  hosts: readonly string[];
  /** In the order in which they are tried. */
  operations: readonly Operation[];
  /** Whether its operations recognize their own ids: they are tried before those of a platform that shares the host. */
  knowsItsOwn?: true;
  /** The response to an unknown path or method. */
  notFound: (call: Call) => Reply;
  /** The response to a revoked token. */
  revokedToken: () => Reply;
  /** Its own error with that status, for faults without a body. */
  rejection: (status: number) => Reply;
  /** Its 500, for failures of the sandbox itself. */
  internalError: () => Reply;
}

/** Names of statistics: of a post, of an account now, and of a day of an account. */
interface Settable {
  readonly post: readonly (keyof PostCounts)[];
  readonly account: readonly 'followers'[];
  readonly day: readonly (keyof DayCounts)[];
}

/** A simulated platform: one folder under `platforms/`, one line in the registry. */
export interface Platform extends Simulated {
  name: PlatformName;
  /** Its display name. */
  label: string;
  /** Whether people remove apps in Meta's settings, which notify the apps. */
  isMetas?: true;
  /** If there are several logins: those other than the default one, each with its own app. */
  otherLogins?: readonly { readonly login: string; readonly app: string }[];
  /** What its apps have in SANDBOX_APPS beyond id, secret, login and redirect URIs. */
  appFields?: z.ZodRawShape;
  createAccount: (sandbox: Sandbox, fields: { username: string; name: string }) => Account;
  /** How its posts look. */
  card: Card;
  /** The statistics that its responses show, and that can be set; `CONTROL.md` lists them. Absent if there are none. */
  settable?: Settable;
  /** The account that every new sandbox has. */
  demo: { username: string; name: string };
}

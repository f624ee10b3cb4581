import { createRequire } from 'node:module';
import type { Options } from '../../src/connector.ts';
import type { LoginName } from '../../src/oauth.ts';
import { PLATFORMS, type Platform } from '../../src/platform.ts';
import type { Flow } from './flow.ts';
import type { Reads } from './reads.ts';
import type { ScriptedResponse } from '../scripted-platform/scripted-platform.ts';
import { secrets } from '../secrets.ts';

/** The responses of a platform to all requests. Each platform has its own, as `conversations` in `test/conversations.ts` of its folder. */
export interface Conversations {
  /** Every way in which something is published, on a good day. */
  readonly flows: Readonly<Record<string, Flow>>;
  readonly login: Login;
  /** Absent if the connector reads no statistics. */
  readonly reads?: Reads;
  /** A rejection in the format of the platform's API: the request is wrong. */
  rejection(message: string): object;
  /** Its response when a limit is reached; if it names a time, one that requires the platform's clock. */
  limited(): ScriptedResponse;
  /** What is read of a flow's lost post: two pages of an empty list, or the platform's own state, such as that of a session. */
  notThere(flow: string): readonly ScriptedResponse[];
  /** Absent if its API cannot delete posts. */
  readonly deletion?: Deletion;
  /** Steps whose bytes go to a store whose response has no body worth reading: the state of the media shows next whether they arrived. */
  readonly storeSteps?: readonly string[];
  /** Steps that read the state of a part from the platform. */
  readonly probingSteps?: readonly string[];
}

/** The responses when a post is deleted. */
export interface Deletion {
  readonly publishId: string;
  readonly deleted: readonly ScriptedResponse[];
  /** The same, when there is no such post any more. */
  readonly gone: readonly ScriptedResponse[];
}

/** The responses when people sign in and tokens are refreshed. */
export interface Login {
  readonly accountId: string;
  readonly exchange: readonly ScriptedResponse[];
  readonly refresh: readonly ScriptedResponse[];
  readonly revoke?: readonly ScriptedResponse[];
  readonly choices?: Readonly<Record<string, readonly ScriptedResponse[]>>;
  /** The options that are chosen when the others are listed. */
  readonly chosenBefore?: Options;
  /** The same, of the platform's other ways to sign in. */
  readonly others?: Readonly<Record<LoginName, Login>>;
}

export const bearer = { access_token: secrets.granted, token_type: 'bearer', expires_in: 5_000 };

const load = createRequire(import.meta.url);

/** @throws Error for a platform whose folder has none */
export function conversationsOf(platform: Platform): Conversations {
  return (load(`../../src/${folderOf(platform)}/test/conversations.ts`) as { conversations: Conversations }).conversations;
}

/** `google_business` → `google-business` */
export const folderOf = (platform: Platform): string => platform.replaceAll('_', '-');

export const everyPlatform = [...PLATFORMS].sort();

import { createRequire } from 'node:module';
import type { Options } from '../src/connector.ts';
import type { LoginName } from '../src/oauth.ts';
import { PLATFORMS, type Platform } from '../src/platform.ts';
import type { Flow } from './flow.ts';
import type { Reads } from './reads.ts';
import type { ScriptedResponse } from './scripted-platform.ts';
import { secrets } from './secrets.ts';

/** What a platform answers to all that is said with it. Each has its own, as `conversations` in `test/conversations.ts` of its folder. */
export interface Conversations {
  /** Every way in which something is published, on a good day. */
  readonly flows: Readonly<Record<string, Flow>>;
  readonly login: Login;
  /** Absent if the connector reads no statistics. */
  readonly reads?: Reads;
  /** The platform's own no, in the words of its API: the request is wrong. */
  refusal(message: string): object;
  /** Its own word that this was enough for now; where it tells a time, one that its clock is needed for. */
  limited(): ScriptedResponse;
  /** What is read of a flow's lost post: two pages of a list that have nothing on them, but of what the platform itself tells, such as a session. */
  notThere(flow: string): readonly ScriptedResponse[];
  /** Absent if its API cannot delete posts. */
  readonly deletion?: Deletion;
  /** Steps whose bytes go to a store whose response has no body worth reading: the media's own state tells next whether they arrived. */
  readonly storeSteps?: readonly string[];
  /** Steps that ask the platform itself what became of a part. */
  readonly probingSteps?: readonly string[];
}

/** What it answers when a post is deleted. */
export interface Deletion {
  readonly publishId: string;
  readonly deleted: readonly ScriptedResponse[];
  /** The same, when there is no such post any more. */
  readonly gone: readonly ScriptedResponse[];
}

/** What it answers when people sign in and we stay signed in. */
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
  return (load(`../src/${folderOf(platform)}/test/conversations.ts`) as { conversations: Conversations }).conversations;
}

/** `google_business` → `google-business` */
export const folderOf = (platform: Platform): string => platform.replaceAll('_', '-');

export const everyPlatform = [...PLATFORMS].sort();

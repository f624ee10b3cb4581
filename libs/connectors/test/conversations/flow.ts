import type { Content, State } from '../../src/connector.ts';
import type { LoginName } from '../../src/oauth.ts';
import type { ScriptedResponse } from '../scripted-platform/scripted-platform.ts';

/** All steps of a post, with the platform's responses if nothing fails. */
export interface Flow {
  readonly name: string;
  readonly content: Content;
  /** How the account's owner signed in; in the platform's usual way when absent. */
  readonly login?: LoginName;
  /** What was written down when it begins; absent at the start of a post. */
  readonly from?: State;
  /** Whether a commit that is rejected is retried with less, from another state. */
  readonly fallsBack?: true;
  readonly responses: readonly ScriptedResponse[];
  /** Where the post's id comes only after the commit: what it is known by when that is given up. */
  readonly publishIdIfGivenUp?: string;
  /** A draft: there is no address where it could be seen. */
  readonly isUnseen?: true;
}

import type { LoginName } from '../../src/oauth.ts';
import type { PlatformHttp } from '../../src/calls/http.ts';
import type { ScriptedResponse } from '../scripted-platform/scripted-platform.ts';

/** What is said with a platform besides publishing: signing in, reading. */
export interface Talk {
  /** `refresh`: the key under which its requests are recorded. */
  readonly key:
    | 'exchange_code'
    | 'refresh'
    | `exchange_code_by_${LoginName}`
    | `refresh_by_${LoginName}`
    | 'revoke'
    | 'unpublish'
    | `choices_${string}`
    | `find_${string}`;
  /** The platform's responses if nothing fails. */
  readonly responses: readonly ScriptedResponse[];
  run(http: PlatformHttp): Promise<unknown>;
}

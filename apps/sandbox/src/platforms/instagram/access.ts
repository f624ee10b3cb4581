import type { Account } from '../../world/world.ts';
import { missingPermission, noSuchObject } from '../graph/errors.ts';
import type { GraphCall } from '../graph/graph-operation.ts';
import { session, type Session } from '../graph/session.ts';
import type { Sandbox } from '../platform.ts';

type Need = 'basic' | 'content_publish' | 'manage_comments' | 'manage_insights';

/** The Instagram account of an id, if the caller may do this with it. */
export function accessTo(call: GraphCall, sandbox: Sandbox, id: string, ...needs: Need[]): Account {
  const caller = session(call, call.values, sandbox);
  const resolved = id === 'me' && call.host === 'graph.instagram.com' ? (caller.token.account_id ?? id) : id;
  const account = sandbox.world.accounts.get(resolved);
  if (account?.platform !== 'instagram' || !reaches(caller, account, call.host)) throw noSuchObject(call.method, id);
  for (const need of needs) requireInstagramScope(caller, call.host, need);
  return account;
}

/** `instagram_content_publish` with Facebook Login, `instagram_business_content_publish` with Instagram Login. */
function requireInstagramScope(caller: Session, host: string, need: Need): void {
  const scope = `${host === 'graph.instagram.com' ? 'instagram_business_' : 'instagram_'}${need}`;
  if (!caller.grant.scopes.includes(scope)) throw missingPermission(scope);
}

/** Facebook Login: by the linked Page's token or the person's. Instagram Login: by the account's own. */
function reaches(caller: Session, account: Account, host: string): boolean {
  if (!caller.grant.account_ids.includes(account.id)) return false;
  const own = caller.token.account_id === account.id;
  if (host === 'graph.instagram.com') return own;
  return !own && (caller.token.kind !== 'page' || caller.token.account_id === account.linked_id);
}

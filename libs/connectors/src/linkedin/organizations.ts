import type { GrantedAccount, Tokens } from '../oauth.ts';
import { listAt, requiredAt, stringAt } from '../calls/fields.ts';
import type { PlatformHttp } from '../calls/http.ts';
import { MAX_PAGES, PAGE_SIZE, PUBLISHING_ROLES } from './limits.ts';
import { linkedinGet } from './linkedin-call.ts';

/** Every page that the member may post for. */
export async function listOrganizations(http: PlatformHttp, tokens: Tokens): Promise<GrantedAccount[]> {
  const caller = { http, account: tokens };
  const urns = new Set<string>();
  for (let round = 0; round < MAX_PAGES; round++) {
    const query = { q: 'roleAssignee', state: 'APPROVED', count: PAGE_SIZE, start: round * PAGE_SIZE };
    const response = await linkedinGet(caller, { path: '/organizationAcls', query, headers: { 'x-restli-method': 'FINDER' } });
    const roles = listAt(response, 'elements');
    for (const role of roles) if (mayPublish(role)) urns.add(requiredAt(role, 'organization'));
    if (roles.length < PAGE_SIZE) break;
  }
  const accounts: GrantedAccount[] = [];
  for (const accountId of urns) {
    const response = await linkedinGet(caller, { path: `/organizations/${accountId.split(':').at(-1) ?? ''}` });
    const name = stringAt(response, 'localizedName') ?? accountId;
    accounts.push({ accountId, username: stringAt(response, 'vanityName') ?? name, displayName: name, page: name, tokens });
  }
  return accounts;
}

function mayPublish(role: unknown): boolean {
  return (PUBLISHING_ROLES as readonly (string | undefined)[]).includes(stringAt(role, 'role'));
}

import { z } from 'zod';
import { access, listAuditEntries } from '../../accounts/index.ts';
import { asRequest } from '../../http/request/parse-query.ts';
import { route, type Route } from '../../http/route.ts';
import { organizationId } from '../common/organization-id.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { timestampInput } from '../common/timestamp.ts';
import { auditEntry, auditEntryFromStore } from './audit-entry.ts';
import { exampleAuditEntry } from './audit-entry-example.ts';

const filter = (pattern: RegExp, error: string) => z.string({ error: 'must be given once' }).max(100).regex(pattern, error).optional();

const listAudit = route({
  method: 'get',
  path: '/api/audit',
  operationId: 'list_audit_entries',
  sdkMethod: 'audit.list',
  tag: 'Audit',
  access: access.manage,
  scope: 'organization',
  self: 'page',
  summary: 'List audit entries',
  description: 'Who did what to keys, members, plans and sign-ins, when and from where; newest first. Entries are kept for 400 days.',
  params: {},
  query: {
    organization_id: organizationId(),
    action: filter(/^[a-z_]+\.[a-z_]+$/, 'must be an action such as key.created').meta({
      description: 'Returns only entries with this action.',
      example: 'key.created',
    }),
    actor: filter(/^(?:key|user):[\w-]+$/, 'must be key:<id> or user:<id>').meta({
      description: 'Returns only entries of this actor: `key:<id>` or `user:<id>`.',
    }),
    from: asRequest(timestampInput().optional()),
    to: asRequest(timestampInput().optional()),
    limit: limitParam(20),
    cursor: cursorParam(),
  },
  returns: pageOf(auditEntry, 'AuditPage'),
  status: 200,
  examples: { response: { items: [exampleAuditEntry], next: null } },
  async handler({ db }, { query, organization }) {
    const { action, actor, from, to, limit, cursor } = query;
    const page = { pageSize: limit, pageToken: cursor };
    const { rows, nextPageToken } = await listAuditEntries(db, organization.organizationId, { action, actor, from, to }, page);
    return { body: { items: rows.map(auditEntryFromStore), next: nextOf(nextPageToken) } };
  },
});

export const auditRoutes: readonly Route[] = [listAudit];

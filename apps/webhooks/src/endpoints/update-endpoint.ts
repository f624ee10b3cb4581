import type { UpdateEndpointRequest } from '@fanfare/contracts/webhooks';
import { toVersion } from '@fanfare/resources';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { checkHeaders, checkUrl } from './checked.ts';
import type { EndpointDocument } from './endpoint.ts';
import { openSecrets, sealSecrets, shownUrl } from './secrets.ts';
import { editEndpoint, getEndpoint, markWanted, unsetFields } from './store/endpoints.ts';
import { toFormat } from './to-endpoint.ts';

/** @throws DomainError resource_not_found, invalid_value (`url`, `headers`), precondition_failed */
export async function updateEndpoint(context: Context, organizationId: string, request: UpdateEndpointRequest): Promise<EndpointDocument> {
  const { config, db, keyring, transact } = context;
  const given = request.url === undefined ? undefined : checkUrl(request.url, config.sending);
  if (request.headers) checkHeaders(request.headers.values);
  const { operationId, expectedRevisions } = request;
  return transact(async (session) => {
    const current = await getEndpoint(db, organizationId, request.endpointId, session);
    const secrets = openSecrets(keyring, current);
    const format = request.format === undefined ? current.format : toFormat(request.format);
    const url = given ?? secrets.url;
    const headers = request.headers?.values ?? secrets.headers;
    const isEnabling = request.enabled === true && !current.enabled;
    const changes = {
      ...(request.events && { events: request.events.values }),
      ...(request.businessIds && { business_ids: request.businessIds.values }),
      ...(request.platforms && { platforms: request.platforms.values }),
      description: request.description,
      version: request.version === undefined ? undefined : toVersion(request.version),
      ordered: request.ordered,
      rate_limit_per_second: request.rateLimitPerSecond || undefined,
      enabled: request.enabled,
      ...(request.enabled === false && current.enabled && { disabled_reason: 'requested' as const }),
      ...(isEnabling && { failures: 0 }),
      // Another format alone does not reveal a URL that was hidden.
      ...(given !== undefined || format !== 'standard' ? { shown_url: shownUrl(url, format) } : {}),
      ...{ format, header_names: headers.map(({ name }) => name) },
      ...((given !== undefined || request.headers) && { sealed: sealSecrets(keyring, current._id, { ...secrets, url, headers }) }),
    };
    const edit = { operationId, expectedRevisions, at: now(organizationId) };
    const edited = await editEndpoint(db, organizationId, current._id, changes as Partial<EndpointDocument>, edit, session);
    const removed = [
      ...(isEnabling ? (['disabled_reason', 'failing_since'] as const) : []),
      ...(request.rateLimitPerSecond === 0 ? (['rate_limit_per_second'] as const) : []),
    ];
    // If it is disabled, its pending deliveries end. If it is enabled or has another URL, they need not wait.
    await markWanted(db, current._id, session);
    return removed.length === 0 ? edited : ((await unsetFields(db, current._id, removed, session)) ?? edited);
  });
}

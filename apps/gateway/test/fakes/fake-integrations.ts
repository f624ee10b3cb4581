import { PublisherServiceService, type Connection, type Integration } from '@fanfare/contracts/publisher';
import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata, Handlers } from '@fanfare/rpc';
import { unusedMethods } from '@fanfare/testing';
import { tokenAfter } from '../pages.ts';
import { AT } from '../values.ts';
import type { Note } from '../note.ts';

/** The data of the fake publisher. */
export interface FakeAccounts {
  readonly integrations: Map<string, Integration>;
  readonly connections: Map<string, Connection>;
  readonly platformsInTrouble: Set<string>;
  /** Of deliveries to X. */
  oldestDueAt: Date | undefined;
}

/** The methods of the publisher that the gateway calls. */
export function fakePublisher(accounts: FakeAccounts, note: Note): Handlers<typeof PublisherServiceService> {
  const { integrations, connections, platformsInTrouble } = accounts;
  const integrationOf = (id: string, { metadata }: { metadata: CallMetadata }) => {
    const found = integrations.get(id);
    if (found?.businessId !== metadata.businessId) throw notFound('integration');
    return found;
  };
  const connectionOf = (id: string, { metadata }: { metadata: CallMetadata }) => {
    const found = connections.get(id);
    if (found?.businessId !== metadata.businessId) throw notFound('connection');
    return found;
  };
  const change = (integration: Integration, expected: readonly number[], more: Partial<Integration>) => {
    if (expected.length > 0 && !expected.includes(integration.revision)) throw new DomainError('precondition_failed', 'It has changed.');
    const changed = { ...integration, ...more, revision: integration.revision + 1 };
    integrations.set(changed.id, changed);
    return { integration: changed };
  };
  return {
    ...unusedMethods(PublisherServiceService),
    async listPlatformHealth() {
      return {
        platforms: ['facebook', 'x'].map((platform) => ({
          platform,
          inTrouble: platformsInTrouble.has(platform),
          oldestDueAt: platform === 'x' ? accounts.oldestDueAt : undefined,
        })),
      };
    },
    async listIntegrations(request, call) {
      note('listIntegrations', request, call);
      const own = [...integrations.values()].filter(({ businessId }) => businessId === call.metadata.businessId);
      return { integrations: own, nextPageToken: '' };
    },
    async putPause(request, call) {
      note('putPause', request, call);
      return { pause: undefined };
    },
    async deletePause(request, call) {
      note('deletePause', request, call);
      return { existed: true };
    },
    async listChoices(request, call) {
      note('listChoices', request, call);
      integrationOf(request.integrationId, call);
      if (request.option !== 'board_id') throw new DomainError('invalid_value', 'This option has no list of values.', { param: 'option' });
      return { choices: [{ value: '7', label: 'Bread' }], nextPageToken: tokenAfter(request) };
    },
    async getIntegration(request, call) {
      note('getIntegration', request, call);
      return { integration: integrationOf(request.integrationId, call) };
    },
    async updateIntegration(request, call) {
      note('updateIntegration', request, call);
      return change(integrationOf(request.integrationId, call), request.expectedRevisions, { settings: request.settings });
    },
    async disconnectIntegration(request, call) {
      note('disconnectIntegration', request, call);
      const status = 'INTEGRATION_STATUS_DISCONNECTED';
      return change(integrationOf(request.integrationId, call), request.expectedRevisions, { status });
    },
    async refreshIntegration(request, call) {
      note('refreshIntegration', request, call);
      return change(integrationOf(request.integrationId, call), [], {});
    },
    async beginConnection(request, call) {
      note('beginConnection', request, call);
      const { organizationId, businessId } = call.metadata;
      const id = request.connectionId ?? '';
      connections.set(id, aConnection({ id, organizationId, businessId, platform: request.platform, returnUrl: request.returnUrl ?? '' }));
      return { authorizeUrl: `https://platform.example/authorize?state=state-${id}`, state: `state-${id}`, expiresAt: AT };
    },
    async completeConnection() {
      return { integrations: [] };
    },
    async finishConnection(request, call) {
      note('finishConnection', request, call);
      const connection = connections.get(request.state.replace('state-', ''));
      if (!connection) throw new DomainError('invalid_request', 'The attempt was not found.', { param: 'state' });
      return { connection };
    },
    async getConnection(request, call) {
      note('getConnection', request, call);
      return { connection: connectionOf(request.connectionId, call) };
    },
    async deauthorizeMetaUser(request, call) {
      note('deauthorizeMetaUser', request, call);
      checkSigned(request);
      return {};
    },
    async deleteMetaUserData(request, call) {
      note('deleteMetaUserData', request, call);
      checkSigned(request);
      return { deletion: { confirmationCode: 'c0de', requestedAt: AT, completedAt: AT } };
    },
    async getDataDeletion(request, call) {
      note('getDataDeletion', request, call);
      if (request.confirmationCode !== 'c0de') throw notFound('data deletion');
      return { deletion: { confirmationCode: 'c0de', requestedAt: AT, completedAt: AT } };
    },
    async chooseAccounts(request, call) {
      note('chooseAccounts', request, call);
      const chosen = { ...connectionOf(request.connectionId, call), status: 'CONNECTION_STATUS_CONNECTED' as const, accounts: [] };
      connections.set(chosen.id, chosen);
      return { connection: chosen };
    },
  };
}

function checkSigned({ signedRequest }: { signedRequest: string }): void {
  if (!signedRequest.startsWith('signed.')) throw new DomainError('invalid_request', 'Not signed.', { param: 'signed_request' });
}

export function anIntegration(more: Partial<Integration>): Integration {
  return {
    id: '',
    businessId: '',
    organizationId: '',
    platform: 'facebook',
    accountId: '1234',
    username: '',
    displayName: 'Bakery',
    accessEndsAt: undefined,
    page: 'The Bakery',
    pictureUrl: undefined,
    status: 'INTEGRATION_STATUS_CONNECTED',
    scopes: ['pages_manage_posts'],
    tokenExpiresAt: undefined,
    reconnectBy: undefined,
    lastError: undefined,
    createdAt: AT,
    updatedAt: AT,
    revision: 1,
    settings: {},
    observedOptions: {},
    capabilities: [{ name: 'publish', available: true, missingScopes: [] }],
    ...more,
  };
}

export function aConnection(more: Partial<Connection>): Connection {
  return {
    id: '',
    organizationId: '',
    businessId: '',
    platform: 'facebook',
    status: 'CONNECTION_STATUS_PENDING',
    accounts: [],
    integrations: [],
    returnUrl: '',
    expiresAt: AT,
    createdAt: AT,
    ...more,
  };
}

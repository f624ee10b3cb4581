import type { Connection, Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { callAs } from '@fanfare/testing';
import type { TestPublisher } from '../running-publisher.ts';

export type Call = ReturnType<typeof callAs>;
export const aBusiness = (organizationId = newId()) => callAs({ organizationId, businessId: newId() });
const NOBODY = callAs({ organizationId: '', businessId: '' });

/** How people connect and read accounts, with the publisher of a test file. */
export function connecting(publisher: () => TestPublisher) {
  async function begin(call: Call, platform: string, more: { integrationId?: string; returnUrl?: string } = {}) {
    const connectionId = newId();
    const begun = await publisher().client.beginConnection({ platform, redirectUri: publisher().redirectUri, connectionId, ...more }, call);
    return { connectionId, ...begun };
  }
  const finish = async (
    granted: { code: string; state: string },
    more: { error?: string; operationId?: string } = {},
  ): Promise<Connection> => {
    const request = { operationId: newId(), error: '', errorDescription: '', ...granted, ...more };
    const { connection } = await publisher().client.finishConnection(request, NOBODY);
    if (!connection) throw new Error('No connection.');
    return connection;
  };
  const connect = async (call: Call, platform: string, accountId?: string, more: { integrationId?: string } = {}) => {
    const { authorizeUrl } = await begin(call, platform, more);
    return finish(await publisher().consent(authorizeUrl, accountId));
  };
  const read = async (call: Call, connectionId: string) => (await publisher().client.getConnection({ connectionId }, call)).connection;
  const choose = (call: Call, connectionId: string, accountIds: string[], operationId = newId()) =>
    publisher().client.chooseAccounts({ operationId, connectionId, accountIds }, call);
  const list = async (call: Call) => (await publisher().client.listIntegrations({ pageSize: 100, pageToken: '' }, call)).integrations;
  const get = async (call: Call, integrationId: string) => (await publisher().client.getIntegration({ integrationId }, call)).integration;
  return { begin, finish, connect, read, choose, list, get };
}

export const oneOf = ({ integrations: [one] }: Connection): Integration => {
  if (!one) throw new Error('Nothing was connected.');
  return one;
};

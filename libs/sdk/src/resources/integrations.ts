import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import {
  chooseAccounts,
  connectIntegration,
  deleteIntegration,
  getConnection,
  getIntegration,
  listChoices,
  listIntegrations,
  refreshIntegration,
  updateIntegration,
} from '../gen/sdk.gen.ts';
import type { ChooseAccounts, ConnectIntegration, ListChoicesData, ListIntegrationsData, UpdateIntegration } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const integrations = ({ plain, once, edit }: Caller) => ({
  list: (business_id: string, query: ListIntegrationsData['query'] = {}, options?: CallOptions) =>
    listing((cursor) =>
      answered(listIntegrations({ ...plain(options), path: { business_id }, query: { ...query, ...(cursor && { cursor }) } })),
    ),
  get: (business_id: string, integration_id: string, options?: CallOptions) =>
    answered(getIntegration({ ...plain(options), path: { business_id, integration_id } })),
  update: (business_id: string, integration_id: string, body: UpdateIntegration, options?: EditOptions) =>
    answered(updateIntegration({ ...edit(options), path: { business_id, integration_id }, body })),
  delete: (business_id: string, integration_id: string, options?: EditOptions) =>
    answered(deleteIntegration({ ...edit(options), path: { business_id, integration_id } })),
  refresh: (business_id: string, integration_id: string, options?: CallOptions) =>
    answered(refreshIntegration({ ...plain(options), path: { business_id, integration_id }, body: {} })),
  /** What an option of the account's platform can be set to, such as the boards of `board_id`. */
  choices: (
    business_id: string,
    integration_id: string,
    option: string,
    query: Pick<ListChoicesData['query'] & object, 'board_id'> = {},
    options?: CallOptions,
  ) =>
    listing((cursor) =>
      answered(
        listChoices({ ...plain(options), path: { business_id, integration_id, option }, query: { ...query, ...(cursor && { cursor }) } }),
      ),
    ),
  /** Send the person to `authorize_url`; then ask `getConnection` how it went. */
  connect: (business_id: string, body: ConnectIntegration, options?: OnceOptions) =>
    answered(connectIntegration({ ...once(options), path: { business_id }, body })),
  getConnection: (business_id: string, connection_id: string, options?: CallOptions) =>
    answered(getConnection({ ...plain(options), path: { business_id, connection_id } })),
  chooseAccounts: (business_id: string, connection_id: string, body: ChooseAccounts, options?: OnceOptions) =>
    answered(chooseAccounts({ ...once(options), path: { business_id, connection_id }, body })),
});

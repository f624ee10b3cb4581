import { DomainError } from '@fanfare/errors';
import { isoTime, present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { PAGE, problemsAsPages } from '../../http/html/or-page.ts';
import { wantsPage } from '../../http/html/wants-page.ts';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { rawRoute } from '../../http/raw-route.ts';
import { parseForm } from '../../http/request/read-form.ts';
import type { Route } from '../../http/route.ts';
import { timestamp } from '../common/timestamp.ts';
import { metaPlatforms } from '../platforms/platform-lists.ts';
import { deletionMissingPage, deletionPage } from './deletion-page.ts';

/** URLs that Meta calls and links to, entered in the app's dashboard. Requests have no credential: the signature identifies the person. */
const PATH = '/api/integrations/meta';
const fromMeta = { tag: 'Integrations', scope: 'none', access: access.manage, query: {} } as const;

const signedRequest = z
  .object({
    signed_request: z
      .string()
      .min(1)
      .max(8192)
      .meta({ description: 'An HMAC-SHA-256 with the app secret, a dot, and JSON with `user_id` and `issued_at`, both in base64url.' }),
  })
  .meta({ id: 'MetaSignedRequest' });
const requestBody = {
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: signedRequest,
      example: { signed_request: 'vlXgu64BQGFSQrY0ZcJBZASMvYvTHu9GQ0YM9rjPSso.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiJ9' },
    },
  },
};
const readSigned = parseForm(signedRequest);

const deletionAccepted = z
  .object({
    url: z.url().meta({ description: 'Where the person can check the status.' }),
    confirmation_code: z.string(),
  })
  .meta({ id: 'MetaDataDeletionAccepted' });
const dataDeletion = z
  .object({
    confirmation_code: z.string(),
    status: z.string().meta({ description: 'Always `completed`.', example: 'completed' }),
    requested_at: timestamp(),
    completed_at: timestamp(),
  })
  .meta({ id: 'DataDeletion' });

const deauthorizeMetaUser = rawRoute({
  ...fromMeta,
  method: 'post',
  path: `${PATH}/deauthorize`,
  operationId: 'deauthorize_meta_user',
  summary: 'Receive the notice that a person removed the app',
  description: `The deauthorize callback URL of a Meta app. API clients do not call it. The person's ${metaPlatforms()} accounts have to be reconnected.`,
  params: {},
  status: 200,
  openapi: {
    requestBody,
    response: { 'application/json': { schema: z.object({}).meta({ id: 'MetaUserDeauthorized' }), example: {} } },
  },
  async handler({ publisher }, { request, response, call }) {
    const form = await readSigned(request, response);
    await publisher.deauthorizeMetaUser({ signedRequest: form.signed_request }, { call });
    return { body: {} };
  },
});

const deleteMetaUserData = rawRoute({
  ...fromMeta,
  method: 'post',
  path: `${PATH}/data-deletion`,
  operationId: 'delete_meta_user_data',
  summary: 'Erase the data of a person',
  description: `The data deletion request URL of a Meta app. API clients do not call it. Erases the person's ${metaPlatforms()} accounts with their tokens, names and profile images. A repeated request returns the same response.`,
  params: {},
  status: 200,
  openapi: {
    requestBody,
    response: {
      'application/json': {
        schema: deletionAccepted,
        example: {
          url: `https://api.example.com${PATH}/data-deletion/${EXAMPLE_IDS.confirmation_code}`,
          confirmation_code: EXAMPLE_IDS.confirmation_code,
        },
      },
    },
  },
  async handler({ publisher, urls }, { request, response, call }) {
    const form = await readSigned(request, response);
    const { deletion } = await publisher.deleteMetaUserData({ signedRequest: form.signed_request }, { call });
    const { confirmationCode } = present(deletion);
    return { body: { url: urls.api(`${PATH}/data-deletion/${confirmationCode}`), confirmation_code: confirmationCode } };
  },
});

const getDataDeletion = rawRoute({
  ...fromMeta,
  method: 'get',
  path: `${PATH}/data-deletion/{confirmation_code}`,
  operationId: 'get_data_deletion',
  summary: 'Get the status of a data deletion',
  description:
    'For the person who requested the deletion at Meta. It requires no credential: anyone with the code can read it. Browsers get a page.',
  params: { confirmation_code: z.string() },
  status: 200,
  begin: problemsAsPages,
  openapi: {
    response: {
      'application/json': {
        schema: dataDeletion,
        example: {
          confirmation_code: EXAMPLE_IDS.confirmation_code,
          status: 'completed',
          requested_at: '2026-08-03T08:09:00.000Z',
          completed_at: '2026-08-03T08:09:00.000Z',
        },
      },
      ...PAGE,
    },
  },
  async handler({ publisher, config }, { request, params, call }) {
    const isBrowser = wantsPage(request);
    try {
      const { deletion } = await publisher.getDataDeletion({ confirmationCode: params.confirmation_code }, { call });
      const { confirmationCode, requestedAt, completedAt } = present(deletion);
      const times = { requested_at: isoTime(requestedAt), completed_at: isoTime(completedAt) };
      const body = { confirmation_code: confirmationCode, status: 'completed', ...times };
      return { body, headers: { 'Referrer-Policy': 'no-referrer' }, ...(isBrowser && { instead: deletionPage(config, body) }) };
    } catch (error) {
      if (!isBrowser || !(error instanceof DomainError) || error.code !== 'resource_not_found') throw error;
      return { body: { confirmation_code: '', status: '', requested_at: '', completed_at: '' }, instead: deletionMissingPage(config) };
    }
  },
});

export const metaRoutes: readonly Route[] = [deauthorizeMetaUser, deleteMetaUserData, getDataDeletion];

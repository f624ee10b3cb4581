import { DomainError } from '@fanfare/errors';
import { currentTime } from '@fanfare/runtime';
import { z } from 'zod';
import { access, auditRequest, requestExport } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { actingOf } from '../common/acting-of.ts';
import { timeParam } from '../common/time-param.ts';
import { exampleExport, examplePendingExport, exportFromStore, organizationExport } from './export.ts';

const POLL_SECONDS = 5;

const getExport = route({
  method: 'get',
  path: '/api/organizations/{organization_id}/export',
  operationId: 'export_organization',
  sdkMethod: 'organizations.export',
  tag: 'Organizations',
  access: access.usersOnly('owner'),
  scope: 'organization',
  self: 'resource',
  summary: 'Export an organization',
  description:
    'Exports everything that is stored of the organization, as an archive. Only owners can do this; API keys cannot. The first request starts the export, and the ' +
    'response is 202. Poll the URL in `Location`, as often as `Retry-After` says, until `status` is `completed` or `failed`. A completed export has the `url` of the ' +
    'archive, which is deleted after a day (`expires_at`). Until then, repeated requests return the same export with a new `url`; to get a newer export, send ' +
    '`newer_than`. A failed export is returned for an hour; a request after that starts another one. At most 3 exports can be started in 24 hours.\n\n' +
    'The archive is a zip file. It has a file of JSON lines for each resource, in the shape of this API. Resources of the organization: organization, members, ' +
    'invitations, keys, webhooks, feedback, audit log, events and businesses. Resources of each business: topics, categories, folders, files, media, posts with ' +
    'timelines and statistics, queues, connected accounts with their history, designs, templates and jobs. The archive contains no secrets: no keys, signing secrets ' +
    'or tokens. It does not contain the media themselves, because a single file can have 5 GiB: `media.jsonl` has the `url`, `size_bytes` and `sha256` of each. ' +
    '`README.txt` in the archive explains how to download them all.\n\n' +
    'The archive is signed: `manifest.json` has the SHA-256 of each file, and `manifest.jws` is a JSON Web Signature (RFC 7515) with `manifest.json` as its payload. ' +
    '`GET /api/signing-keys` returns the keys to verify it. An organization that is being deleted can still be exported.',
  params: { organization_id: z.string() },
  query: {
    newer_than: timeParam(
      'Starts a new export, unless the last one was started after this time. While an export is being made, that one is returned, so poll with the same value.',
    ),
  },
  returns: organizationExport,
  status: 200,
  orAccepted: true,
  errors: ['invalid_request'],
  examples: { response: exampleExport, accepted: examplePendingExport },
  async handler(context, exchange) {
    const { newer_than: newerThan } = exchange.query;
    if (newerThan && newerThan > currentTime())
      throw new DomainError('invalid_request', 'newer_than must not be in the future.', { param: 'newer_than' });
    const acting = { ...actingOf(exchange), request: auditRequest(exchange.request, exchange) };
    const shown = await requestExport(context, acting, newerThan);
    const body = exportFromStore(shown);
    const isAccepted = body.status === 'pending';
    return {
      body,
      isAccepted,
      location: `/api/organizations/${acting.organizationId}/export`,
      ...(isAccepted && { headers: { 'Retry-After': String(POLL_SECONDS) } }),
    };
  },
});

const getSigningKeys = route({
  method: 'get',
  path: '/api/signing-keys',
  operationId: 'get_signing_keys',
  sdkMethod: 'organizations.signingKeys',
  tag: 'Organizations',
  access: access.usersOnly('viewer'),
  scope: 'none',
  summary: 'Get the keys that sign exports',
  description:
    'A JSON Web Key Set (RFC 7517, RFC 8037) with the public keys (Ed25519) that verify `manifest.jws` of exports. `kid` in the header of the signature names the key. ' +
    'Keep the response with an archive: a key is not returned any more after it was replaced and removed.',
  params: {},
  query: {},
  returns: z
    .object({
      keys: z.array(
        z
          .object({
            kty: z.string().meta({ example: 'OKP' }),
            crv: z.string().meta({ example: 'Ed25519' }),
            x: z.string().meta({ description: 'The public key, in base64url.' }),
            kid: z.string().meta({ example: 'k1' }),
            alg: z.string().meta({ example: 'EdDSA' }),
            use: z.string().meta({ example: 'sig' }),
          })
          .meta({ id: 'SigningKey' }),
      ),
    })
    .meta({ id: 'SigningKeys' }),
  status: 200,
  examples: {
    response: {
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'k1', alg: 'EdDSA', use: 'sig' }],
    },
  },
  handler: async ({ archiveSignatures }) => ({ body: { keys: [...archiveSignatures.publicKeys] } }),
});

export const exportRoutes: readonly Route[] = [getExport, getSigningKeys];

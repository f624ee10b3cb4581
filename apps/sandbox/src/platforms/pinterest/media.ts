import { z } from 'zod';
import { json, type Reply } from '../../wire/reply.ts';
import { progressOf } from '../../world/processing.ts';
import { secret } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { mediaNotFound } from './errors.ts';
import { hosts, limits } from './limits.ts';
import { pinterestOperation, type PinterestCall } from './pinterest-operation.ts';
import { newPinterestId, uploads, type Upload } from './state.ts';
import { strictBody } from './strict.ts';

/** Registers a video and reads its status. */
export const mediaOperations: Operation[] = [
  pinterestOperation({
    name: 'pinterest.register_media',
    method: 'POST',
    path: '/v5/media',
    scopes: ['pins:read', 'pins:write'],
    rate: 'org_write',
    handle: registerMedia,
  }),
  pinterestOperation({
    name: 'pinterest.get_media',
    method: 'GET',
    path: '/v5/media/{media_id}',
    scopes: ['pins:read'],
    rate: 'org_read',
    handle: getMedia,
  }),
];

const registration = z.strictObject({ media_type: z.enum(['video']) });

function registerMedia(call: PinterestCall, { world }: Sandbox): Reply {
  const { media_type } = strictBody(registration, call);
  const id = newPinterestId(world);
  const expires_at = world.now() + limits.uploadSeconds * 1000;
  const date = new Date(world.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const key = `uploads/${call.user.id.slice(-2)}/3:video:${call.user.id}:${id}`;
  const policy = { expiration: new Date(expires_at).toISOString(), conditions: [{ key }, ['content-length-range', 1, limits.videoBytes]] };
  const parameters = {
    'x-amz-date': date,
    'x-amz-signature': secret('sbxpis_'),
    'x-amz-security-token': secret('sbxpit_'),
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    key,
    policy: Buffer.from(JSON.stringify(policy)).toString('base64'),
    'x-amz-credential': `SANDBOX/${date.slice(0, 8)}/us-east-1/s3/aws4_request`,
    'Content-Type': 'multipart/form-data',
  };
  uploads(world).set(id, { id, account_id: call.user.id, parameters, expires_at, media_id: null, processing: null });
  world.touched();
  return json(201, { media_id: id, media_type, upload_url: `https://${hosts.storage}/`, upload_parameters: parameters });
}

function getMedia(call: PinterestCall, { world }: Sandbox): Reply {
  const upload = ownUpload(call, world, call.params['media_id']!);
  if (!upload) throw mediaNotFound();
  return json(200, { media_id: upload.id, media_type: 'video', status: statusOf(upload, world.now()) });
}

export function ownUpload(call: PinterestCall, world: Sandbox['world'], id: string): Upload | null {
  const upload = uploads(world).get(id);
  return upload?.account_id === call.user.id ? upload : null;
}

export function statusOf({ processing }: Upload, now: number): 'registered' | 'processing' | 'succeeded' | 'failed' {
  if (!processing) return 'registered';
  return ({ in_progress: 'processing', finished: 'succeeded', failed: 'failed' } as const)[progressOf(processing, now)];
}

import { z } from 'zod';
import { inspectImage, type Inspection } from '../../media/inspect.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { keepMedia } from '../../world/media.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { assetToFill, beginAsset, checkAction, getAsset, getAssets, startWork } from './assets.ts';
import { uploadRejected } from './errors.ts';
import { hosts, limits } from './limits.ts';
import { jsonBody, memberOperation, type MemberCall } from './linkedin-operation.ts';
import { strict } from './strict.ts';

const writing = ['w_member_social', 'w_organization_social'];
/** With only member permissions, images can be uploaded, but their status cannot be read. */
const reading = ['w_organization_social', 'r_organization_social'];

export const imageOperations: Operation[] = [
  memberOperation({
    name: 'linkedin.initialize_image',
    method: 'POST',
    path: '/rest/images',
    scopes: writing,
    query: ['action'],
    handle: initialize,
  }),
  memberOperation({
    name: 'linkedin.get_image',
    method: 'GET',
    path: '/rest/images/{urn}',
    scopes: reading,
    handle: getAsset,
  }),
  memberOperation({
    name: 'linkedin.get_images',
    method: 'GET',
    path: '/rest/images',
    scopes: reading,
    query: ['ids'],
    handle: (call, sandbox) => getAssets(call, sandbox, 'image'),
  }),
  memberOperation({
    name: 'linkedin.upload_image',
    hosts: [hosts.web],
    method: 'PUT',
    path: '/dms-uploads/{key}/uploaded-image/0',
    versioned: false,
    query: ['ca', 'cn'],
    processes: true,
    handle: upload,
  }),
];

const initializeBody = z.strictObject({
  initializeUploadRequest: z.strictObject({ owner: z.string(), mediaLibraryMetadata: z.unknown().optional() }),
});

function initialize(call: MemberCall, sandbox: Sandbox): Reply {
  checkAction(call, 'initializeUpload');
  const { owner } = strict(initializeBody, jsonBody(call)).initializeUploadRequest;
  const asset = beginAsset(call, sandbox, 'image', owner, null);
  return json(200, {
    value: {
      uploadUrlExpiresAt: asset.upload_ends_at,
      uploadUrl: `https://${hosts.web}/dms-uploads/${asset.upload_key}/uploaded-image/0?ca=vector_feedshare&cn=uploads`,
      image: asset.urn,
    },
  });
}

/** The whole image in one request. Images are ready at once. */
async function upload(call: MemberCall, sandbox: Sandbox): Promise<Reply> {
  const asset = assetToFill(sandbox.world, call.params['key']!);
  if (asset?.kind !== 'image' || asset.member !== call.member) throw uploadRejected(403, 'Forbidden');
  if (asset.state !== 'waiting') throw uploadRejected(400, 'The upload is complete');
  if (call.body.kind !== 'bytes') throw uploadRejected(400, 'Bytes are expected');
  const { bytes } = call.body;
  const seen = await inspectImage(bytes);
  const fault = faultOf(seen);
  if (seen && fault === null) asset.media_id = keepMedia(sandbox.world, bytes, seen, null).id;
  startWork(call, sandbox, asset, 0, fault);
  return { status: 201, headers: {}, body: { kind: 'none' } };
}

function faultOf(seen: Inspection | null): string | null {
  const { types, pixels, frames } = limits.image;
  if (!seen || !(types as readonly string[]).includes(seen.contentType)) return 'The file is no JPG, PNG or GIF';
  if (seen.width * seen.height >= pixels) return `The image has ${seen.width * seen.height} pixels; fewer than ${pixels} are allowed`;
  return seen.frames > frames ? `The GIF has more than ${frames} frames` : null;
}

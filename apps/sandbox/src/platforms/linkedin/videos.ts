import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inspectVideo, type Inspection } from '../../media/inspect.ts';
import type { SpooledFile } from '../../media/spool.ts';
import type { Call } from '../../wire/call.ts';
import { json, Rejection, type Reply } from '../../wire/reply.ts';
import { keepMedia } from '../../world/media.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { assetToFill, beginAsset, checkAction, getAsset, getAssets, startWork } from './assets.ts';
import { illegalArgument, reject, uploadRejected } from './errors.ts';
import { hosts, limits } from './limits.ts';
import { jsonBody, memberOperation, type MemberCall } from './linkedin-operation.ts';
import { assets, dropParts, partsOf, type Asset } from './state.ts';
import { strict } from './strict.ts';

const writing = { method: 'POST', path: '/rest/videos', scopes: ['w_member_social', 'w_organization_social'], query: ['action'] } as const;

export const videoOperations: Operation[] = [
  memberOperation({
    ...writing,
    name: 'linkedin.finalize_video',
    when: (call) => call.query.get('action') === 'finalizeUpload',
    processes: true,
    handle: finalize,
  }),
  memberOperation({ ...writing, name: 'linkedin.initialize_video', handle: initialize }),
  memberOperation({
    name: 'linkedin.get_video',
    method: 'GET',
    path: '/rest/videos/{urn}',
    scopes: writing.scopes,
    handle: getAsset,
  }),
  memberOperation({
    name: 'linkedin.get_videos',
    method: 'GET',
    path: '/rest/videos',
    scopes: writing.scopes,
    query: ['ids'],
    handle: (call, sandbox) => getAssets(call, sandbox, 'video'),
  }),
  {
    name: 'linkedin.upload_video_part',
    hosts: [hosts.web],
    method: 'PUT',
    path: '/dms-uploads/{key}/uploadedVideo/{index}',
    handle: uploadPart,
  },
];

const initializeBody = z.strictObject({
  initializeUploadRequest: z.strictObject({
    owner: z.string(),
    fileSizeBytes: z.number().int().positive(),
    uploadCaptions: z.boolean(),
    uploadThumbnail: z.boolean(),
    purpose: z.string().optional(),
    templateType: z.string().optional(),
  }),
});
const finalizeBody = z.strictObject({
  finalizeUploadRequest: z.strictObject({ video: z.string(), uploadToken: z.string(), uploadedPartIds: z.array(z.string()).min(1) }),
});

function initialize(call: MemberCall, sandbox: Sandbox): Reply {
  checkAction(call, 'initializeUpload');
  const { owner, fileSizeBytes: size } = strict(initializeBody, jsonBody(call)).initializeUploadRequest;
  const { minBytes, maxBytes } = limits.video;
  if (size < minBytes || size > maxBytes) throw illegalArgument(`fileSizeBytes has to be between ${minBytes} and ${maxBytes}`);
  const asset = beginAsset(call, sandbox, 'video', owner, size);
  const parts = Array.from({ length: Math.ceil(size / limits.partBytes) }, (_, index) => ({
    uploadUrl: `https://${hosts.web}/dms-uploads/${asset.upload_key}/uploadedVideo/${index}`,
    ...rangeOf(index, size),
  }));
  return json(200, {
    value: { uploadUrlsExpireAt: asset.upload_ends_at, video: asset.urn, uploadInstructions: parts, uploadToken: asset.upload_token },
  });
}

/** Requires no token: anyone who knows the URL may upload that part, also repeatedly. */
function uploadPart(call: Call, { world }: Sandbox): Reply {
  const asset = assetToFill(world, call.params['key']!);
  const index = Number(call.params['index']);
  if (asset?.kind !== 'video' || !Number.isInteger(index) || index < 0 || index >= Math.ceil(asset.size! / limits.partBytes))
    throw uploadRejected(403, 'Forbidden');
  if (asset.state !== 'waiting') throw uploadRejected(400, 'The upload is complete');
  if (call.body.kind !== 'bytes') throw uploadRejected(400, 'Bytes are expected');
  const { bytes } = call.body;
  const { firstByte, lastByte } = rangeOf(index, asset.size!);
  if (bytes.length !== lastByte - firstByte + 1) throw uploadRejected(400, `Bytes ${firstByte} to ${lastByte} are expected`);
  const etag = createHash('md5').update(bytes.sha256).update(asset.upload_key).digest('hex');
  partsOf(asset).set(index, { bytes, etag });
  return { status: 200, headers: { etag }, body: { kind: 'none' } };
}

async function finalize(call: MemberCall, sandbox: Sandbox): Promise<Reply> {
  const { world, config } = sandbox;
  const { video, uploadToken, uploadedPartIds } = strict(finalizeBody, jsonBody(call)).finalizeUploadRequest;
  const asset = assets(world).get(video);
  if (asset?.kind !== 'video') throw reject(404, 'RESOURCE_NOT_FOUND', `Could not find entity ${video}`);
  if (asset.member !== call.member) throw reject(403, 'ACCESS_DENIED', `Not enough permissions to access ${video}`);
  if (asset.state !== 'waiting') throw illegalArgument(`The upload of ${video} is complete`);
  if (uploadToken !== asset.upload_token) throw illegalArgument('uploadToken does not belong to the video');
  const bytes = await sandbox.spool.join(assembled(asset, uploadedPartIds));
  const seen = await inspectVideo(bytes);
  const fault = faultOf(seen);
  if (seen && fault === null) asset.media_id = keepMedia(world, bytes, seen, null).id;
  dropParts(asset);
  startWork(call, sandbox, asset, config.processingMs, fault);
  return { status: 200, headers: {}, body: { kind: 'none' } };
}

/** @throws Rejection unless every part was uploaded and is named by its ETag, in order */
function assembled(asset: Asset, etags: string[]): SpooledFile[] {
  const received = partsOf(asset);
  const count = Math.ceil(asset.size! / limits.partBytes);
  const parts = Array.from({ length: count }, (_, index) => received.get(index));
  const named = etags.map((etag) => etag.replaceAll('"', ''));
  if (named.length !== count || parts.some((part, index) => part === undefined || part.etag !== named[index]))
    throw new Rejection(illegalArgument('uploadedPartIds do not match the parts that were uploaded').reply);
  return parts.map((part) => part!.bytes);
}

function rangeOf(index: number, size: number): { firstByte: number; lastByte: number } {
  const firstByte = index * limits.partBytes;
  return { firstByte, lastByte: Math.min(firstByte + limits.partBytes, size) - 1 };
}

function faultOf(seen: Inspection | null): string | null {
  const { minMs, maxMs, ratio } = limits.video;
  if (seen?.kind !== 'video' || !seen.contentType.startsWith('video/mp4')) return 'The file is no MP4 video';
  if (seen.durationMs === null || seen.durationMs < minMs || seen.durationMs > maxMs)
    return 'The video has to be 3 seconds to 30 minutes long';
  const shape = seen.width / seen.height;
  return shape > ratio || shape < 1 / ratio ? 'The aspect ratio has to be between 1:2.4 and 2.4:1' : null;
}

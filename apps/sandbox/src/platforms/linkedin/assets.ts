import { json, type Reply } from '../../wire/reply.ts';
import { progressOf, startProcessing } from '../../world/processing.ts';
import { secret, type World } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';
import { illegalArgument, reject } from './errors.ts';
import { checkActor, type MemberCall } from './linkedin-operation.ts';
import { limits } from './limits.ts';
import { listIn, urnOf } from './rest-li.ts';
import { assetByKey, assets, type Asset } from './state.ts';

const hourMs = 3600_000;

/** What images and videos have in common: initialization, upload, processing, and status. */
export function beginAsset(call: MemberCall, { world }: Sandbox, kind: Asset['kind'], owner: string, size: number | null): Asset {
  checkActor(call, owner, { member: 'w_member_social', organization: 'w_organization_social' });
  const urn = `urn:li:${kind}:${kind === 'image' ? 'C4E10AQ' : 'C5F10AQ'}${world.nextNumber()}`;
  const asset: Asset = {
    urn,
    kind,
    owner,
    member: call.member,
    upload_key: secret('sbxliu_'),
    upload_token: '',
    upload_ends_at: world.now() + limits.uploadUrlMs,
    size,
    state: 'waiting',
    media_id: null,
    processing: null,
  };
  assets(world).set(urn, asset);
  world.touched();
  return asset;
}

/** The asset of an upload URL, while the URL is valid. */
export function assetToFill(world: World, key: string): Asset | undefined {
  const asset = assetByKey(world, key);
  return asset && asset.upload_ends_at > world.now() ? asset : undefined;
}

/** @param fault what is wrong with the bytes; it appears after the processing */
export function startWork(
  call: MemberCall | { processing: MemberCall['processing'] },
  { world }: Sandbox,
  asset: Asset,
  workMs: number,
  fault: string | null,
): void {
  asset.state = 'sent';
  asset.processing = startProcessing(
    world.now(),
    workMs,
    call.processing,
    { code: 0, message: 'The media could not be processed' },
    async () => (fault === null ? null : { code: 0, message: fault }),
    world.touched,
  );
  world.touched();
}

export function statusOf(asset: Asset, now: number): 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED' {
  if (asset.state === 'waiting' || !asset.processing) return 'WAITING_UPLOAD';
  const progress = progressOf(asset.processing, now);
  return progress === 'failed' ? 'PROCESSING_FAILED' : progress === 'finished' ? 'AVAILABLE' : 'PROCESSING';
}

export function getAsset(call: MemberCall, { world }: Sandbox): Reply {
  const urn = call.params['urn']!;
  const kind = call.path.includes('/images/') ? 'image' : 'video';
  const fault = readFault(call, world, urn, kind);
  if (fault) throw reject(fault.status, fault.code, fault.message);
  return json(200, assetNode(world, assets(world).get(urn)!));
}

/** Several at once: each is either in `results` or in `errors`. */
export function getAssets(call: MemberCall, { world }: Sandbox, kind: Asset['kind']): Reply {
  const urns = listIn(call, 'ids')?.map((urn) => urnOf(urn, 'ids'));
  if (!urns) throw illegalArgument('Invalid query parameters passed to request: ids has to be List(…)');
  const wrong = urns.find((urn) => !urn.startsWith(`urn:li:${kind}:`));
  if (wrong !== undefined) throw reject(400, 'INVALID_URN_TYPE', `${wrong} is no ${kind}`);
  const read = urns.map((urn) => [urn, readFault(call, world, urn, kind)] as const);
  return json(200, {
    statuses: {},
    results: Object.fromEntries(read.flatMap(([urn, fault]) => (fault ? [] : [[urn, assetNode(world, assets(world).get(urn)!)]]))),
    errors: Object.fromEntries(read.flatMap(([urn, fault]) => (fault ? [[urn, fault]] : []))),
  });
}

/** Why the member cannot read an image or video. */
function readFault(call: MemberCall, world: World, urn: string, kind: Asset['kind']) {
  const asset = assets(world).get(urn);
  if (asset?.kind !== kind) return { status: 404, code: 'RESOURCE_NOT_FOUND', message: `Could not find entity ${urn}` };
  if (asset.member !== call.member) return { status: 403, code: 'ACCESS_DENIED', message: `Not enough permissions to access ${urn}` };
  return undefined;
}

function assetNode(world: World, asset: Asset): Record<string, unknown> {
  const status = statusOf(asset, world.now());
  const { urn, kind, owner, processing } = asset;
  const path = `${kind}/${urn.split(':').at(-1)}`;
  const expiresAt = Math.ceil(world.now() / hourMs) * hourMs + limits.downloadUrlMs;
  return {
    id: urn,
    owner,
    status,
    ...(status === 'PROCESSING_FAILED' && { processingFailureReason: processing?.failure?.message }),
    ...(status === 'AVAILABLE' && {
      downloadUrl: signedUrl(path, expiresAt),
      downloadUrlExpiresAt: expiresAt,
      ...(kind === 'video' && {
        duration: world.media.get(asset.media_id!)?.duration_ms,
        thumbnail: signedUrl(`${path}/thumbnail`, expiresAt),
      }),
    }),
  };
}

const signedUrl = (path: string, expiresAt: number) => `https://media.licdn.com/dms/${path}?e=${expiresAt / 1000}&v=beta&t=sandbox`;

/** @throws Rejection unless the asset can be used in a post of that author now */
export function usableAsset(world: World, urn: string, kinds: readonly Asset['kind'][], author: string): Asset {
  const asset = assets(world).get(urn);
  if (!asset || !kinds.includes(asset.kind)) throw reject(400, 'INVALID_URN_ID', `${urn} is not usable here`);
  if (asset.owner !== author) throw reject(400, 'INVALID_CONTENT_OWNERSHIP', `${urn} is not owned by ${author}`);
  const status = statusOf(asset, world.now());
  if (status === 'WAITING_UPLOAD') throw reject(400, 'MEDIA_ASSET_WAITING_UPLOAD', `Media asset ${urn} is waiting for its upload`);
  if (status === 'PROCESSING') throw reject(400, 'MEDIA_ASSET_PROCESSING', `Media asset ${urn} is being processed`);
  if (status === 'PROCESSING_FAILED') throw reject(400, 'MEDIA_ASSET_PROCESSING_FAILED', `Processing of media asset ${urn} failed`);
  return asset;
}

export function checkAction(call: MemberCall, action: string): void {
  if (call.query.get('action') !== action) throw illegalArgument(`action has to be ${action}`);
}

import { startProcessing, progressOf } from '../../world/processing.ts';
import type { Account } from '../../world/world.ts';
import { invalidParameter, noSuchObject, reject } from '../graph/errors.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { flag, list, text } from '../graph/params.ts';
import { session } from '../graph/session.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { accessTo } from './access.ts';
import { rejectMedia } from './errors.ts';
import { containerParams, extrasOf } from './extras.ts';
import { hosts, limits } from './limits.ts';
import { imageFrom, videoFrom, type VideoSource } from './media-source.ts';
import { containers, newInstagramId, type Container } from './state.ts';

export const graphHosts = ['graph.facebook.com', hosts.graph];

export const containerOperations: Operation[] = [
  graphOperation('instagram', {
    name: 'instagram.create_container',
    hosts: graphHosts,
    method: 'POST',
    path: '/{v}/{account_id}/media',
    processes: true,
    takes: containerParams,
    handle: createContainer,
  }),
  graphOperation('instagram', {
    name: 'instagram.upload_video',
    hosts: ['rupload.facebook.com'],
    method: 'POST',
    path: '/ig-api-upload/{v}/{container_id}',
    takes: [],
    handle: uploadVideo,
  }),
];

async function createContainer(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  const { world, config } = sandbox;
  const account = accessTo(call, sandbox, call.params['account_id']!, 'content_publish');
  rejectTooMany(account, sandbox);
  const mediaType = mediaTypeOf(call);
  const resumable = text(values, 'upload_type') === 'resumable';
  const isChild = flag(values, 'is_carousel_item') ?? false;
  const extras = extrasOf(values, mediaType, isChild);
  const container: Container = {
    id: newInstagramId(world),
    account_id: account.id,
    media_type: mediaType,
    caption: mediaType === 'STORIES' ? '' : checkedCaption(text(values, 'caption') ?? ''),
    carousel_item: isChild,
    children: [],
    media_ids: [],
    extras,
    awaits_upload: resumable,
    processing: { started_at: world.now(), ready_at: world.now(), working: false, failure: null },
    published_as: null,
    created_at: new Date(world.now()).toISOString(),
  };
  const altText = text(values, 'alt_text') ?? null;
  const imageUrl = text(values, 'image_url');
  const videoUrl = text(values, 'video_url');
  let work: Parameters<typeof startProcessing>[4] = () => Promise.resolve(null);
  if (mediaType === 'CAROUSEL') {
    container.children = checkedChildren(call, sandbox, account);
    const children = container.children.map((id) => containers(world).get(id)!);
    container.media_ids = children.flatMap((child) => child.media_ids);
    const tagged = children.map((child) => child.extras['user_tags'] ?? []);
    if (tagged.flat().length > 0) container.extras['user_tags'] = tagged;
  } else if (mediaType === 'IMAGE' || (mediaType === 'STORIES' && imageUrl)) {
    if (!imageUrl) throw invalidParameter('The parameter image_url is required');
    container.media_ids = [(await imageFrom(world, imageUrl, altText, mediaType === 'STORIES' ? 'any ratio' : 'of the feed')).id];
  } else if (videoUrl) {
    const coverUrl = text(values, 'cover_url');
    const cover = coverUrl ? await imageFrom(world, coverUrl, null, 'any ratio') : null;
    if (cover) container.extras['cover'] = { media_id: cover.id, width: cover.width, height: cover.height };
    const offsetMs = extras['thumb_offset'] as number | undefined;
    work = () => takeVideo(sandbox, container, { url: videoUrl }, cover?.preview ?? null, offsetMs);
  } else if (!resumable) {
    throw invalidParameter('The parameter video_url is required');
  }
  container.processing = startProcessing(world.now(), config.processingMs, call.processing, processingFailed, work, world.touched);
  containers(world).set(container.id, container);
  world.touched();
  return resumable
    ? { id: container.id, uri: `https://rupload.facebook.com/ig-api-upload/${call.version}/${container.id}` }
    : { id: container.id };
}

async function uploadVideo(call: GraphCall, sandbox: Sandbox) {
  const { world, config } = sandbox;
  const caller = session({ ...call, query: new URLSearchParams() }, {}, sandbox, { proof: 'never' });
  const container = containers(world).get(call.params['container_id']!);
  if (!container || !caller.grant.account_ids.includes(container.account_id)) throw noSuchObject('POST', call.params['container_id']!);
  if (!container.awaits_upload) throw invalidParameter('The container does not wait for an upload');
  const { body } = call;
  if (call.headers['offset'] !== '0' || body.kind !== 'bytes' || Number(call.headers['file_size']) !== body.bytes.length) {
    throw invalidParameter('The headers offset and file_size do not fit the body');
  }
  container.awaits_upload = false;
  container.processing = startProcessing(
    world.now(),
    config.processingMs,
    call.processing,
    processingFailed,
    () => takeVideo(sandbox, container, { bytes: body.bytes }, null, undefined),
    world.touched,
  );
  return { success: true };
}

export function statusOf(
  container: Container,
  now: number,
): { code: 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'; text: string } {
  if (container.published_as !== null) return { code: 'PUBLISHED', text: 'Published: Media has been successfully published.' };
  const progress = container.awaits_upload ? 'in_progress' : progressOf(container.processing, now);
  if (progress === 'failed') {
    const { code, message } = container.processing.failure!;
    return { code: 'ERROR', text: `Error: Media upload has failed with error code ${code}. ${message}` };
  }
  if (Date.parse(container.created_at) + limits.containerLifeMs <= now)
    return { code: 'EXPIRED', text: 'Expired: Media was not published within 24 hours.' };
  return progress === 'finished'
    ? { code: 'FINISHED', text: 'Finished: Media has been uploaded and it is ready to be published.' }
    : { code: 'IN_PROGRESS', text: 'In Progress: Media is still being processed.' };
}

const processingFailed = { code: 2_207_026, message: 'The video format is not supported' };

async function takeVideo(sandbox: Sandbox, container: Container, source: VideoSource, cover: string | null, offsetMs: number | undefined) {
  const media = await videoFrom(sandbox, source, container.media_type === 'STORIES');
  if ('code' in media) return media;
  if (offsetMs !== undefined && (offsetMs < 0 || offsetMs > (media.duration_ms ?? 0)))
    return { code: 2_207_057, message: 'Thumbnail offset must be within the video' };
  media.preview = cover;
  container.media_ids = [media.id];
  return null;
}

function mediaTypeOf({ values }: GraphCall): Container['media_type'] {
  const requested = text(values, 'media_type');
  const child = flag(values, 'is_carousel_item') ?? false;
  const video = text(values, 'video_url') !== undefined || text(values, 'upload_type') === 'resumable';
  if (text(values, 'image_url') !== undefined && text(values, 'video_url') !== undefined) throw rejectMedia('media_type');
  switch (requested) {
    case undefined:
    case 'IMAGE':
      if (video) throw rejectMedia('media_type');
      return 'IMAGE';
    case 'VIDEO':
      // Outside a carousel every video is a reel since 2023.
      if (!child || !video) throw rejectMedia('media_type');
      return 'VIDEO';
    case 'REELS':
      if (child || !video) throw rejectMedia('media_type');
      return 'REELS';
    case 'STORIES':
    case 'CAROUSEL':
      if (child) throw rejectMedia('media_type');
      return requested;
    default:
      throw rejectMedia('media_type');
  }
}

function checkedCaption(caption: string): string {
  if ([...caption].length > limits.captionCharacters) throw rejectMedia('caption_too_long');
  const hashtags = caption.match(/(?<![\p{L}\p{N}_&])#[\p{L}\p{N}_]+/gu) ?? [];
  const mentions = caption.match(/(?<![\p{L}\p{N}_])@[A-Za-z0-9_.]+/gu) ?? [];
  if (hashtags.length > limits.hashtags || mentions.length > limits.mentions) throw rejectMedia('too_many_tags');
  return caption;
}

function checkedChildren(call: GraphCall, { world }: Sandbox, account: Account): string[] {
  const ids = (list(call.values, 'children') ?? []).map(String);
  const { min, max } = limits.carouselItems;
  if (ids.length < min || ids.length > max) throw rejectMedia('carousel_count');
  for (const id of ids) {
    const child = containers(world).get(id);
    if (child?.account_id !== account.id) throw rejectMedia('container_unknown');
    if (!child.carousel_item) throw rejectMedia('carousel_count');
    const status = statusOf(child, world.now()).code;
    if (status === 'EXPIRED') throw rejectMedia('container_expired');
    if (status === 'ERROR') throw rejectMedia('create_failed');
    if (status !== 'FINISHED') throw rejectMedia('not_ready');
  }
  return ids;
}

function rejectTooMany(account: Account, { world, config }: Sandbox): void {
  const dayAgo = world.now() - 24 * 3600 * 1000;
  const made = [...containers(world).values()].filter((one) => one.account_id === account.id && Date.parse(one.created_at) > dayAgo);
  if (made.length >= limits.containersPerDay * config.limitsFactor) {
    throw reject({ message: '(#80002) There have been too many calls to this Instagram account.', code: 80_002, status: 400 });
  }
}

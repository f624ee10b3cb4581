import { inspectVideo, type Inspection } from '../../media/inspect.ts';
import { pullInto } from '../../media/pull.ts';
import type { SpooledFile } from '../../media/spool.ts';
import { keepMedia, type Media } from '../../world/media.ts';
import { addPost, livePostsOf } from '../../world/post.ts';
import { startProcessing } from '../../world/processing.ts';
import type { Account } from '../../world/world.ts';
import { invalidParameter, noSuchObject, reject } from '../graph/errors.ts';
import { graphOperation, type GraphCall } from '../graph/graph-operation.ts';
import { requiredText, text, uploadedFile, flag } from '../graph/params.ts';
import { requirePageToken, requireScope, session } from '../graph/session.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { hosts, limits } from './limits.ts';
import { photoFrom } from './photo-source.ts';
import { checkedMessage, newPostId, publishingPage } from './publish.ts';
import { newGraphId, videos, type Video } from './state.ts';

export const videoOperations: Operation[] = [
  graphOperation('facebook', {
    name: 'facebook.create_video',
    hosts: [hosts.graph, hosts.video],
    method: 'POST',
    path: '/{v}/{page_id}/videos',
    processes: true,
    takes: ['file_url', 'source', 'title', 'description', 'published', 'upload_phase'],
    handle: createVideo,
  }),
  graphOperation('facebook', {
    name: 'facebook.start_reel',
    hosts: [hosts.graph],
    method: 'POST',
    path: '/{v}/{page_id}/video_reels',
    when: (call) => phaseOf(call as GraphCall) === 'start',
    takes: ['upload_phase'],
    handle: startReel,
  }),
  graphOperation('facebook', {
    name: 'facebook.finish_reel',
    hosts: [hosts.graph],
    method: 'POST',
    path: '/{v}/{page_id}/video_reels',
    processes: true,
    takes: ['upload_phase', 'video_id', 'video_state', 'title', 'description', 'is_ai_generated'],
    handle: finishReel,
  }),
  graphOperation('facebook', {
    name: 'facebook.upload_reel',
    hosts: [hosts.upload],
    method: 'POST',
    path: '/video-upload/{v}/{video_id}',
    takes: [],
    handle: uploadReel,
  }),
  graphOperation('facebook', {
    name: 'facebook.create_thumbnail',
    hosts: [hosts.graph],
    method: 'POST',
    path: '/{v}/{video_id}/thumbnails',
    takes: ['source', 'is_preferred'],
    handle: createThumbnail,
  }),
];

function createVideo(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  const page = publishingPage(call, sandbox);
  if (text(values, 'upload_phase')) throw invalidParameter('upload_phase: the sandbox takes videos by file_url or source only');
  const file = uploadedFile(call, 'source');
  const url = text(values, 'file_url');
  if (!file && !url) throw invalidParameter('The parameter file_url is required');
  const video = newVideo(sandbox, page, false);
  video.description = checkedMessage(values, 'description');
  video.title = text(values, 'title') ?? null;
  publish(call, sandbox, page, video, flag(values, 'published') ?? true, async () => {
    const failure = await receive(sandbox, video, file ? { bytes: file.bytes } : { url: url! });
    return failure === null ? null : { code: 1_363_047, message: failure };
  });
  return { id: video.id };
}

function startReel(call: GraphCall, sandbox: Sandbox) {
  const page = publishingPage(call, sandbox);
  const video = newVideo(sandbox, page, true);
  return { video_id: video.id, upload_url: `https://${hosts.upload}/video-upload/${call.version}/${video.id}` };
}

/** Bytes, or a URL to fetch them from. Responds when they have arrived. */
async function uploadReel(call: GraphCall, sandbox: Sandbox) {
  const caller = session({ ...call, query: new URLSearchParams() }, {}, sandbox, { proof: 'never' });
  const video = videos(sandbox.world).get(call.params['video_id']!);
  if (!video) throw noSuchObject('POST', call.params['video_id']!);
  requirePageToken(caller, video.page_id);
  if (video.upload === 'complete') throw invalidParameter('The video was already uploaded');
  const url = call.headers['file_url'];
  const failure = await receive(sandbox, video, url ? { url } : { bytes: sentBytes(call) });
  if (failure !== null) {
    throw reject({
      message: `There was a problem uploading your video file: ${failure}`,
      code: 6000,
      subcode: 1_363_030,
      title: 'Video Upload Error',
    });
  }
  return { success: true };
}

function sentBytes({ headers, body }: GraphCall): SpooledFile {
  if (headers['offset'] !== '0') throw invalidParameter('The header offset must be 0');
  if (body.kind !== 'bytes' || body.bytes.length !== Number(headers['file_size']))
    throw invalidParameter('The header file_size does not fit the body');
  return body.bytes;
}

function finishReel(call: GraphCall, sandbox: Sandbox) {
  const { values } = call;
  const { world, config } = sandbox;
  const page = publishingPage(call, sandbox);
  if (phaseOf(call) !== 'finish') throw invalidParameter('Param upload_phase must be one of {START, FINISH}');
  const video = videos(world).get(requiredText(values, 'video_id'));
  if (video?.page_id !== page.id || !video.reel) throw invalidParameter('Invalid video_id');
  const state = text(values, 'video_state') ?? 'PUBLISHED';
  if (!['PUBLISHED', 'DRAFT', 'SCHEDULED'].includes(state))
    throw invalidParameter('Param video_state must be one of {PUBLISHED, DRAFT, SCHEDULED}');
  if (video.upload !== 'complete') throw invalidParameter('The video has not been uploaded yet');
  if (video.post_id !== null) throw invalidParameter('The upload session was already finished');
  const dayAgo = world.now() - 24 * 3600 * 1000;
  const today = livePostsOf(world, page.id).filter((post) => post.kind === 'reel' && Date.parse(post.created_at) > dayAgo);
  if (today.length >= limits.reel.perDay * config.limitsFactor) {
    throw reject({ message: '(#613) Calls to this api have exceeded the rate limit.', code: 613, status: 400 });
  }
  video.description = checkedMessage(values, 'description');
  video.title = text(values, 'title') ?? null;
  video.is_ai_generated = flag(values, 'is_ai_generated') ?? null;
  const media = world.media.get(video.media_id!)!;
  publish(call, sandbox, page, video, state === 'PUBLISHED', async () => reelFault(media));
  return { success: true };
}

async function createThumbnail(call: GraphCall, sandbox: Sandbox) {
  const caller = session(call, call.values, sandbox);
  const video = videos(sandbox.world).get(call.params['video_id']!);
  if (!video) throw noSuchObject('POST', call.params['video_id']!);
  requirePageToken(caller, video.page_id);
  requireScope(caller, 'pages_manage_posts');
  const file = uploadedFile(call, 'source');
  if (!file) throw invalidParameter('The parameter source is required');
  const isPreferred = flag(call.values, 'is_preferred') ?? false;
  const cover = await photoFrom(sandbox.world, { file }, null);
  const media = video.media_id ? sandbox.world.media.get(video.media_id) : undefined;
  if (!isPreferred) return { success: true };
  if (media) media.preview = cover.preview;
  video.cover = { media_id: cover.id, width: cover.width, height: cover.height };
  const post = video.post_id ? sandbox.world.posts.get(video.post_id) : undefined;
  if (post) post.details['cover'] = video.cover;
  sandbox.world.touched();
  return { success: true };
}

function newVideo({ world }: Sandbox, page: Account, reel: boolean): Video {
  const video: Video = {
    id: newGraphId(world),
    page_id: page.id,
    reel,
    title: null,
    description: null,
    is_ai_generated: null,
    cover: null,
    length: null,
    upload: 'not_started',
    upload_error: null,
    media_id: null,
    post_id: null,
    processing: null,
    created_at: new Date(world.now()).toISOString(),
  };
  videos(world).set(video.id, video);
  return video;
}

/** Creates the post at once; it becomes public when the processing succeeds. */
function publish(
  call: GraphCall,
  { world, config }: Sandbox,
  page: Account,
  video: Video,
  published: boolean,
  work: () => Promise<{ code: number; message: string } | null>,
): void {
  const post = addPost(world, {
    id: newPostId(world, page),
    platform: 'facebook',
    account_id: page.id,
    kind: video.reel ? 'reel' : 'video',
    text: video.description ?? '',
    link: null,
    media_ids: video.media_id ? [video.media_id] : [],
    reply_to: null,
    url: video.reel ? `https://www.facebook.com/reel/${video.id}` : `https://www.facebook.com/${page.id}/videos/${video.id}`,
    published,
    details: {
      ...{ video_id: video.id, title: video.title },
      ...(video.is_ai_generated !== null && { is_ai_generated: video.is_ai_generated }),
      ...(video.cover && { cover: video.cover }),
    },
  });
  video.post_id = post.id;
  video.processing = startProcessing(
    world.now(),
    config.processingMs,
    call.processing,
    { code: 1_363_047, message: 'The video could not be processed.' },
    work,
    () => {
      post.media_ids = video.media_id ? [video.media_id] : [];
      world.touched();
    },
  );
  post.processing = video.processing;
}

/** Fetches, inspects and stores a video; returns what is wrong with it, or null. */
async function receive({ world, spool }: Sandbox, video: Video, source: { url: string } | { bytes: SpooledFile }): Promise<string | null> {
  const got = 'url' in source ? await pullInto(spool, source.url, limits.videoBytes) : { ok: true as const, bytes: source.bytes };
  const inspection = got.ok ? await inspectVideo(got.bytes) : null;
  const failure = !got.ok
    ? got.why
    : got.bytes.length > limits.videoBytes
      ? 'The file is too large'
      : !isVideo(inspection)
        ? 'The file is not a video that can be used'
        : null;
  video.upload = failure === null ? 'complete' : 'failed';
  video.upload_error = failure;
  if (got.ok && inspection && failure === null) {
    const media = keepMedia(world, got.bytes, inspection, 'url' in source ? source.url : null);
    video.media_id = media.id;
    video.length = (inspection.durationMs ?? 0) / 1000;
  }
  world.touched();
  return failure;
}

const isVideo = (inspection: Inspection | null) =>
  inspection !== null && (limits.videoTypes as readonly string[]).includes(inspection.contentType);

function reelFault({ width, height, duration_ms: durationMs, frames_per_second: fps }: Media): { code: number; message: string } | null {
  const { reel } = limits;
  if (Math.abs(width / height - 9 / 16) > 0.02) return { code: 1_363_040, message: 'The video aspect ratio must be 9:16.' };
  if (width < reel.minWidth || height < reel.minHeight)
    return { code: 1_363_127, message: 'The video resolution must be at least 540 x 960.' };
  if (durationMs === null || durationMs < reel.minMs || durationMs > reel.maxMs)
    return { code: 1_363_128, message: 'The video must be 3 to 90 seconds long.' };
  if (fps !== undefined && fps !== null && (fps < reel.minFps - 0.5 || fps > reel.maxFps + 0.5))
    return { code: 1_363_129, message: 'The video frame rate must be between 24 and 60 fps.' };
  return null;
}

function phaseOf(call: GraphCall): string {
  const { body } = call;
  const sent =
    body.kind === 'json'
      ? (body.value as Record<string, unknown> | null)?.['upload_phase']
      : body.kind === 'form' || body.kind === 'multipart'
        ? body.fields['upload_phase']
        : undefined;
  return (typeof sent === 'string' ? sent : (call.query.get('upload_phase') ?? '')).toLowerCase();
}

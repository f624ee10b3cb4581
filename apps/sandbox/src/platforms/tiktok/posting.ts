import { z } from 'zod';
import type { Reply } from '../../wire/reply.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { fieldsOfApp } from './app-fields.ts';
import { invalidParams, ok, reject, scopeNotAuthorized } from './errors.ts';
import { limits, offeredPrivacyLevels, privacyLevels, hosts } from './limits.ts';
import { startPhotos } from './photos.ts';
import { newUploadToken, tasks, type Task } from './state.ts';
import { strict } from './strict.ts';
import { jsonBody, tiktokOperation, type TiktokCall } from './tiktok-operation.ts';

const common = { method: 'POST', scopes: ['video.publish'] } as const;

export const postingOperations: Operation[] = [
  tiktokOperation({
    ...common,
    name: 'tiktok.query_creator_info',
    path: '/v2/post/publish/creator_info/query',
    rate: 'creator_info',
    handle: queryCreator,
  }),
  tiktokOperation({ ...common, name: 'tiktok.init_video', path: '/v2/post/publish/video/init', rate: 'init', handle: initVideo }),
  tiktokOperation({
    ...common,
    name: 'tiktok.init_video_draft',
    path: '/v2/post/publish/inbox/video/init',
    scopes: ['video.upload'],
    rate: 'init',
    handle: initVideoDraft,
  }),
  tiktokOperation({
    ...common,
    name: 'tiktok.init_photos',
    path: '/v2/post/publish/content/init',
    scopes: ['video.publish', 'video.upload'],
    rate: 'init',
    processes: true,
    handle: initPhotos,
  }),
];

const text = (max: number) => z.string().refine((value) => value.length <= max, `at most ${max} UTF-16 runes`);
const flag = z.boolean().optional();
const shared = {
  privacy_level: z.enum(privacyLevels),
  disable_comment: flag,
  brand_content_toggle: flag,
  brand_organic_toggle: flag,
};
const videoBody = z.strictObject({
  post_info: z.strictObject({
    ...shared,
    title: text(limits.videoTitle).optional(),
    disable_duet: flag,
    disable_stitch: flag,
    video_cover_timestamp_ms: z.int().min(0).optional(),
    is_aigc: flag,
  }),
  source_info: z.strictObject({
    source: z.literal('FILE_UPLOAD'),
    video_size: z.int().positive(),
    chunk_size: z.int().positive(),
    total_chunk_count: z.int().positive(),
  }),
});
/** A draft has no settings: its owner chooses them in the app. */
const videoDraftBody = videoBody.omit({ post_info: true });
const photoWords = { title: text(limits.photoTitle).optional(), description: text(limits.photoDescription).optional() };
const photos = {
  media_type: z.literal('PHOTO'),
  source_info: z.strictObject({
    source: z.literal('PULL_FROM_URL'),
    photo_images: z.array(z.url()).min(1).max(limits.photos),
    photo_cover_index: z.int().min(0),
  }),
};
const photoBody = z.discriminatedUnion('post_mode', [
  z.strictObject({
    ...photos,
    post_mode: z.literal('DIRECT_POST'),
    post_info: z.strictObject({ ...shared, ...photoWords, auto_add_music: flag }),
  }),
  z.strictObject({ ...photos, post_mode: z.literal('MEDIA_UPLOAD'), post_info: z.strictObject(photoWords) }),
]);

function queryCreator({ user, headers }: TiktokCall): Reply {
  if (!/^application\/json/i.test(headers['content-type'] ?? '')) throw invalidParams('The Content-Type must be application/json');
  return ok({
    creator_avatar_url: `https://p16-sign.tiktokcdn.com/${user.id}.webp`,
    creator_username: user.username,
    creator_nickname: user.name,
    privacy_level_options: offeredPrivacyLevels,
    comment_disabled: false,
    duet_disabled: false,
    stitch_disabled: false,
    max_video_post_duration_sec: limits.video.maxSeconds,
  });
}

function initVideo(call: TiktokCall, sandbox: Sandbox): Reply {
  const { post_info, source_info } = strict(videoBody, jsonBody(call));
  checkChunks(source_info);
  checkPosting(call, sandbox, post_info);
  return startUpload(sandbox, addTask(call, sandbox, { kind: 'video', text: post_info.title ?? '', details: post_info }), source_info);
}

function initVideoDraft(call: TiktokCall, sandbox: Sandbox): Reply {
  const { source_info } = strict(videoDraftBody, jsonBody(call));
  checkChunks(source_info);
  checkInbox(call, sandbox);
  return startUpload(sandbox, addTask(call, sandbox, { kind: 'video', text: '', details: {}, is_draft: true }), source_info);
}

type Announced = z.output<typeof videoBody>['source_info'];

function startUpload({ world }: Sandbox, task: Task, source_info: Announced): Reply {
  const number = String(world.nextNumber());
  task.upload = {
    number,
    token: newUploadToken(),
    bytes: source_info.video_size,
    chunk_bytes: source_info.chunk_size,
    chunk_count: source_info.total_chunk_count,
    received: 0,
    expires_at: world.now() + limits.uploadSeconds * 1000,
  };
  world.touched();
  const upload_url = `https://${hosts.upload}/video/?upload_id=${number}&upload_token=${task.upload.token}`;
  return ok({ publish_id: task.id, upload_url });
}

function initPhotos(call: TiktokCall, sandbox: Sandbox): Reply {
  const { post_mode, post_info, source_info } = strict(photoBody, jsonBody(call));
  const is_draft = post_mode === 'MEDIA_UPLOAD';
  if (!call.grant.scopes.includes(is_draft ? 'video.upload' : 'video.publish')) return scopeNotAuthorized();
  const { photo_images, photo_cover_index } = source_info;
  if (photo_cover_index >= photo_images.length) throw invalidParams('photo_cover_index is out of range');
  const prefixes = fieldsOfApp(call.app).url_prefixes;
  if (prefixes.length > 0 && photo_images.some((url) => !prefixes.some((prefix) => url.startsWith(prefix)))) {
    throw reject(403, 'url_ownership_unverified', 'Please review our URL ownership verification rules');
  }
  if ('privacy_level' in post_info) checkPosting(call, sandbox, post_info);
  else checkInbox(call, sandbox);
  const words = [post_info.title, post_info.description].filter(Boolean).join('\n');
  const task = addTask(call, sandbox, { kind: 'photos', text: words, details: { ...post_info, photo_cover_index }, is_draft });
  startPhotos(call, sandbox, task, photo_images);
  return ok({ publish_id: task.id });
}

/** The media transfer guide's rules. The last chunk includes the remainder. */
function checkChunks({ video_size, chunk_size, total_chunk_count }: Announced): void {
  const { minBytes, maxBytes, lastMaxBytes, maxCount } = limits.chunk;
  if (video_size > limits.video.bytes) throw invalidParams('The video is too large');
  const isWhole = total_chunk_count === 1 && chunk_size === video_size;
  if (chunk_size > maxBytes || (chunk_size < minBytes && !(isWhole && video_size < minBytes))) {
    throw invalidParams('The chunk size is invalid');
  }
  if (total_chunk_count !== Math.floor(video_size / chunk_size) || total_chunk_count > maxCount) {
    throw invalidParams('The total chunk count is invalid');
  }
  if (video_size - (total_chunk_count - 1) * chunk_size > lastMaxBytes) throw invalidParams('The last chunk is too large');
}

type PostInfo = Pick<z.output<typeof videoBody>['post_info'], 'privacy_level' | 'brand_content_toggle'>;

function checkPosting(
  call: TiktokCall,
  sandbox: Sandbox,
  { privacy_level: privacyLevel, brand_content_toggle: isBranded }: PostInfo,
): void {
  if (isBranded && privacyLevel === 'SELF_ONLY') throw invalidParams('Branded content visibility cannot be set to private');
  if (!offeredPrivacyLevels.includes(privacyLevel)) {
    throw reject(403, 'privacy_level_option_mismatch', 'Please check the privacy level options of the creator');
  }
  if (!fieldsOfApp(call.app).audited && privacyLevel !== 'SELF_ONLY') {
    throw reject(
      403,
      'unaudited_client_can_only_post_to_private_accounts',
      'Please review our integration guidelines at https://developers.tiktok.com/doc/content-sharing-guidelines/',
    );
  }
  if (isOverDay(call, sandbox, limits.postsPerDay, (task) => !task.is_draft)) {
    throw reject(403, 'spam_risk_too_many_posts', 'The daily post cap from the API is reached for the current user.');
  }
}

/** Drafts are never posted here: there is no app. */
function checkInbox(call: TiktokCall, sandbox: Sandbox): void {
  if (isOverDay(call, sandbox, limits.pendingDrafts, (task) => task.is_draft)) {
    throw reject(403, 'spam_risk_too_many_pending_share', 'The user has too many pending shares in the inbox within the last 24 hours.');
  }
}

function isOverDay({ user }: TiktokCall, { world, config }: Sandbox, most: number, counts: (task: Task) => boolean): boolean {
  const since = world.now() - limits.dayMs;
  const recent = [...tasks(world).values()].filter((task) => task.user_id === user.id && task.created_at > since && counts(task));
  return recent.length >= Math.floor(most * config.limitsFactor);
}

type NewTask = Pick<Task, 'kind' | 'text' | 'details'> & Partial<Pick<Task, 'is_draft'>>;

function addTask(call: TiktokCall, { world }: Sandbox, fields: NewTask): Task {
  const version = `${fields.kind === 'video' ? 'v' : 'p'}_${fields.is_draft ? 'inbox' : 'pub'}_${fields.kind === 'video' ? 'file~v2-1' : 'url~v2'}`;
  const task: Task = {
    is_draft: false,
    ...fields,
    id: `${version}.${String(world.nextNumber()).padStart(19, '7')}`,
    user_id: call.user.id,
    created_at: world.now(),
    upload: null,
    post_id: null,
  };
  tasks(world).set(task.id, task);
  world.touched();
  return task;
}

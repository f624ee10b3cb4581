import { inspectVideo } from '../../media/inspect.ts';
import type { SpooledFile } from '../../media/spool.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { keepMedia } from '../../world/media.ts';
import { addPost, type Post } from '../../world/post.ts';
import { startProcessing } from '../../world/processing.ts';
import { secret } from '../../world/world.ts';
import { checkedBody } from '../google/google-operation.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { badUpload, forbidden, noSession } from './errors.ts';
import { hosts, limits, scopesFor } from './limits.ts';
import { partsOf } from './parts.ts';
import { readRange } from './range.ts';
import { bytesOf, dropBytes, newVideoId, sessions, type Session } from './state.ts';
import { videoParts, videoResource } from './video.ts';
import { checkVideo, videoBody } from './video-body.ts';
import { youtubeOperation, type YoutubeCall } from './youtube-operation.ts';

const common = { hosts: [hosts.api], path: '/upload/youtube/v3/videos', scopes: scopesFor.upload };

/** The resumable upload: a session receives the bytes in order; the last byte creates the video. */
export const uploadOperations: Operation[] = [
  youtubeOperation({
    ...common,
    name: 'youtube.start_upload',
    method: 'POST',
    query: ['uploadType', 'part', 'notifySubscribers', 'autoLevels', 'stabilize'],
    cost: { bucket: 'uploads', units: 1 },
    handle: start,
  }),
  youtubeOperation({
    ...common,
    name: 'youtube.probe_upload',
    method: 'PUT',
    query: ['uploadType', 'part', 'upload_id'],
    cost: null,
    when: (call) => /^bytes \*\//.test(call.headers['content-range'] ?? ''),
    handle: probe,
  }),
  youtubeOperation({
    ...common,
    name: 'youtube.upload_last_part',
    method: 'PUT',
    query: ['uploadType', 'part', 'upload_id'],
    cost: null,
    processes: true,
    when: (call) => isLast(call.headers['content-range']),
    handle: append,
  }),
  youtubeOperation({
    ...common,
    name: 'youtube.upload_part',
    method: 'PUT',
    query: ['uploadType', 'part', 'upload_id'],
    cost: null,
    handle: append,
  }),
];

function start(call: YoutubeCall, { world }: Sandbox): Reply {
  const { query, headers, channel } = call;
  if (query.get('uploadType') !== 'resumable') throw badUpload('Invalid upload type. Only uploadType=resumable is played here.');
  const parts = partsOf(query, videoParts);
  const notifies = query.get('notifySubscribers');
  if (!['true', 'false', null].includes(notifies)) throw badUpload('Invalid value for notifySubscribers.');
  const type = headers['x-upload-content-type'] ?? '';
  if (!/^(video\/[\w.+-]+|application\/octet-stream)$/.test(type))
    throw badUpload(`Media type '${type}' is not supported. Valid media types: [video/*, application/octet-stream]`);
  const size = Number(headers['x-upload-content-length']);
  if (!Number.isInteger(size) || size < 1 || size > limits.fileBytes) throw badUpload('Invalid X-Upload-Content-Length.');
  const body = checkedBody(videoBody, call);
  checkVideo(body, parts);
  const session: Session = {
    upload_id: secret('sbxytu_'),
    channel_id: channel.id,
    body,
    parts,
    notify_subscribers: notifies === null ? null : notifies === 'true',
    media_type: type,
    size,
    offset: 0,
    expires_at: world.now() + limits.sessionMs,
    video_id: null,
  };
  sessions(world).set(session.upload_id, session);
  world.touched();
  const address = new URLSearchParams({ uploadType: 'resumable', part: parts.join(','), upload_id: session.upload_id });
  const location = `https://${hosts.api}/upload/youtube/v3/videos?${address.toString()}`;
  return { status: 200, headers: { location, 'x-guploader-uploadid': session.upload_id }, body: { kind: 'none' } };
}

function probe(call: YoutubeCall, { world }: Sandbox): Reply {
  const session = sessionOf(call, world);
  const range = readRange(call.headers['content-range'], session.size);
  if (range !== 'probe' || call.body.kind !== 'none') throw badUpload('Failed to parse Content-Range header.');
  return stateOf(session, world);
}

async function append(call: YoutubeCall, sandbox: Sandbox): Promise<Reply> {
  const { world } = sandbox;
  const session = sessionOf(call, world);
  if (session.video_id !== null) return stateOf(session, world);
  const kept = bytesOf(session)!;
  const bytes = call.body.kind === 'bytes' ? call.body.bytes : undefined;
  const length = bytes?.length ?? 0;
  if (call.body.kind === 'bytes' && call.body.contentType !== session.media_type)
    throw badUpload(`The Content-Type is ${call.body.contentType}, not ${session.media_type} as announced.`);
  const range = readRange(call.headers['content-range'], session.size);
  if (range === 'probe' || !bytes || length !== range.end - range.start + 1) {
    throw badUpload(`Invalid request. There were ${length} byte(s) in the request body, which is not what the Content-Range header says.`);
  }
  if (range.start !== session.offset) {
    throw badUpload(
      `Invalid request. According to the Content-Range header, the upload offset is ${range.start} byte(s), but the uploaded size is ${session.offset} byte(s).`,
    );
  }
  const last = range.end === session.size - 1;
  if (!last && length % limits.chunkBytes !== 0) {
    throw badUpload(
      `Invalid request. The number of bytes uploaded is required to be a multiple of ${limits.chunkBytes}, except for the final request.`,
    );
  }
  kept.push(bytes);
  session.offset += length;
  world.touched();
  if (!last) return stateOf(session, world);
  const whole = await sandbox.spool.join(kept);
  session.video_id = (await makeVideo(call, sandbox, session, whole)).id;
  dropBytes(session);
  world.touched();
  return { ...stateOf(session, world), status: 201 };
}

async function makeVideo(call: YoutubeCall, { world, config }: Sandbox, session: Session, bytes: SpooledFile): Promise<Post> {
  const seen = await inspectVideo(bytes);
  const problem = seen === null ? 'invalidFile' : (seen.durationMs ?? 0) > limits.videoMs ? 'length' : null;
  const id = newVideoId(world);
  const { snippet, status } = session.body;
  return addPost(world, {
    id,
    platform: 'youtube',
    account_id: session.channel_id,
    kind: 'video',
    text: snippet?.description ?? '',
    link: null,
    media_ids: seen && problem === null ? [keepMedia(world, bytes, seen, null).id] : [],
    reply_to: null,
    url: `https://www.youtube.com/watch?v=${id}`,
    published: status?.privacyStatus !== 'private',
    processing: startProcessing(
      world.now(),
      config.processingMs,
      call.processing,
      { code: 1, message: 'invalidFile' },
      async () => (problem === null ? null : { code: 1, message: problem }),
      world.touched,
    ),
    details: {
      title: snippet?.title ?? '',
      tags: snippet?.tags ?? [],
      category_id: snippet?.categoryId ?? '22',
      privacy_status: status?.privacyStatus ?? 'public',
      made_for_kids: status?.selfDeclaredMadeForKids ?? false,
      ...(snippet?.defaultLanguage !== undefined && { default_language: snippet.defaultLanguage }),
      ...(status?.containsSyntheticMedia !== undefined && { contains_synthetic_media: status.containsSyntheticMedia }),
      // Notifying subscribers is the default.
      ...(session.notify_subscribers === false && { notify_subscribers: false }),
    },
  });
}

function stateOf(session: Session, world: Sandbox['world']): Reply {
  const post = session.video_id === null ? undefined : world.posts.get(session.video_id);
  if (session.video_id !== null) {
    if (!post) throw noSession();
    return json(200, videoResource(world, post, session.parts));
  }
  const headers = session.offset > 0 ? { range: `bytes=0-${session.offset - 1}` } : {};
  return { status: 308, headers: { ...headers, 'x-guploader-uploadid': session.upload_id }, body: { kind: 'none' } };
}

function sessionOf({ query, channel }: YoutubeCall, world: Sandbox['world']): Session {
  const session = sessions(world).get(query.get('upload_id') ?? '');
  if (!session || session.expires_at <= world.now()) throw noSession();
  if (session.channel_id !== channel.id) throw forbidden('The upload belongs to another channel.');
  if (session.video_id === null && !bytesOf(session)) throw noSession();
  return session;
}

function isLast(range: string | undefined): boolean {
  const [, end, size] = /^bytes \d+-(\d+)\/(\d+)$/.exec(range ?? '') ?? [];
  return end !== undefined && Number(end) === Number(size) - 1;
}

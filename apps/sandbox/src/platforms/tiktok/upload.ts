import { inspectVideo } from '../../media/inspect.ts';
import type { SpooledFile } from '../../media/spool.ts';
import type { Call } from '../../wire/call.ts';
import { Rejection, type Reply } from '../../wire/reply.ts';
import { keepMedia } from '../../world/media.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { errorReply } from './errors.ts';
import { hosts, limits } from './limits.ts';
import { publishTask } from './post.ts';
import { chunksOf, dropChunks, tasks, type Task, type Upload } from './state.ts';

export const uploadOperations: Operation[] = [
  {
    name: 'tiktok.upload_chunk',
    hosts: [hosts.upload],
    method: 'PUT',
    path: '/video',
    when: (call) => call.path.endsWith('/'),
    processes: true,
    handle: uploadChunk,
  },
];

/** Chunks in order, each with its range. The last one publishes the video. */
function uploadChunk(call: Call, sandbox: Sandbox): Reply {
  const { world } = sandbox;
  const task = [...tasks(world).values()].find(({ upload }) => upload?.number === call.query.get('upload_id'));
  if (!task?.upload) throw rejected(404, 'The upload task is not found.');
  const { upload } = task;
  const known = call.query.get('upload_token') === upload.token && [...call.query.keys()].length === 2;
  if (!known || upload.expires_at <= world.now()) throw rejected(403, 'The upload URL has expired.');
  // A chunk repeated after the last one is outside of the missing range.
  const { start, end } = rangeOf(call, upload);
  const bytes = checkedChunk(call, upload, start, end);
  const chunks = chunksOf(upload);
  if (start > 0 && chunks.length === 0) throw rejected(404, 'The upload task is not found.');
  chunks.push(bytes);
  upload.received = end;
  world.touched();
  const isComplete = end === upload.bytes;
  if (isComplete) {
    dropChunks(upload);
    publishVideo(call, sandbox, task, chunks, call.headers['content-type'] ?? '');
  }
  const headers = { 'content-range': `bytes 0-${end - 1}/${upload.bytes}` };
  return { status: isComplete ? 201 : 206, headers, body: { kind: 'none' } };
}

function rangeOf(call: Call, upload: Upload): { start: number; end: number } {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(call.headers['content-range'] ?? '');
  if (!range) throw rejected(400, 'The Content-Range is missing or malformed.');
  const [start, end, total] = [Number(range[1]), Number(range[2]) + 1, Number(range[3])];
  if (total !== upload.bytes || end > total || start !== upload.received) {
    throw rejected(416, `The Content-Range does not follow the ${upload.received} bytes that were received.`);
  }
  return { start, end };
}

function checkedChunk({ body, headers }: Call, upload: Upload, start: number, end: number): SpooledFile {
  const types: readonly string[] = limits.video.types;
  if (!types.includes(headers['content-type'] ?? ''))
    throw rejected(400, 'The Content-Type must be video/mp4, video/quicktime or video/webm.');
  if (body.kind !== 'bytes' || body.bytes.length !== end - start) throw rejected(400, 'The Content-Length does not fit the Content-Range.');
  const isLast = start === (upload.chunk_count - 1) * upload.chunk_bytes;
  const expected = isLast ? upload.bytes - start : upload.chunk_bytes;
  if (body.bytes.length !== expected) throw rejected(400, `The chunk must have ${expected} bytes.`);
  return body.bytes;
}

function publishVideo(call: Call, sandbox: Sandbox, task: Task, chunks: readonly SpooledFile[], contentType: string): void {
  publishTask(call, sandbox, task, 'video', async (post) => {
    const { video } = limits;
    const bytes = await sandbox.spool.join(chunks);
    const seen = await inspectVideo(bytes);
    if (!seen || seen.contentType !== contentType) return 'file_format_check_failed';
    if (!(video.codecs as readonly (string | null)[]).includes(seen.codec)) return 'file_format_check_failed';
    const { durationMs, framesPerSecond, width, height } = seen;
    // Containers round.
    if (durationMs === null || durationMs < video.minMs - 50 || durationMs > video.maxSeconds * 1000) return 'duration_check_failed';
    if (framesPerSecond !== null && (framesPerSecond < video.fps.min - 0.5 || framesPerSecond > video.fps.max + 0.5)) {
      return 'frame_rate_check_failed';
    }
    if (Math.min(width, height) < video.minSide || Math.max(width, height) > video.maxSide) return 'picture_size_check_failed';
    post.media_ids.push(keepMedia(sandbox.world, bytes, seen, null).id);
    return null;
  });
}

const rejected = (status: number, message: string) => new Rejection(errorReply(status, 'invalid_file_upload', message));

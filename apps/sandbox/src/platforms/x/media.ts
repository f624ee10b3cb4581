import { z } from 'zod';
import { inspectImage, inspectVideo, type Inspection } from '../../media/inspect.ts';
import type { SpooledFile } from '../../media/spool.ts';
import { json, type Reply } from '../../wire/reply.ts';
import { keepMedia } from '../../world/media.ts';
import { progressOf, startProcessing } from '../../world/processing.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { invalidRequest } from './errors.ts';
import { limits, type Category } from './limits.ts';
import { dropSegments, newXId, segmentsOf, uploads, type Upload } from './state.ts';
import { strict } from './strict.ts';
import { jsonBody, xOperation, type XCall } from './x-operation.ts';

const common = { scopes: ['media.write'], rate: 'media' as const };

export const mediaOperations: Operation[] = [
  xOperation({ ...common, name: 'x.initialize_upload', method: 'POST', path: '/2/media/upload/initialize', handle: initialize }),
  xOperation({ ...common, name: 'x.append_upload', method: 'POST', path: '/2/media/upload/{id}/append', handle: append }),
  xOperation({
    ...common,
    name: 'x.finalize_upload',
    method: 'POST',
    path: '/2/media/upload/{id}/finalize',
    processes: true,
    handle: finalize,
  }),
  xOperation({
    ...common,
    name: 'x.get_upload_status',
    method: 'GET',
    path: '/2/media/upload',
    query: ['command', 'media_id'],
    handle: getStatus,
  }),
  xOperation({ ...common, name: 'x.upload_media', method: 'POST', path: '/2/media/upload', handle: uploadAtOnce }),
  xOperation({ ...common, name: 'x.create_metadata', method: 'POST', path: '/2/media/metadata', handle: createMetadata }),
];

const categories = Object.keys(limits.categories) as [Category, ...Category[]];
const initializeBody = z.strictObject({
  media_type: z.string(),
  total_bytes: z.number().int().positive(),
  media_category: z.enum(categories),
  additional_owners: z.array(z.string()).optional(),
  shared: z.boolean().optional(),
});
const metadataBody = z.strictObject({
  id: z.string().regex(/^\d+$/),
  metadata: z.strictObject({ alt_text: z.strictObject({ text: z.string().min(1) }).optional() }),
});

function initialize(call: XCall, { world }: Sandbox): Reply {
  const body = strict(initializeBody, jsonBody(call));
  const rules = limits.categories[body.media_category];
  if (!(rules.types as readonly string[]).includes(body.media_type))
    throw invalidRequest(`media_type ${body.media_type} does not fit media_category ${body.media_category}`);
  if (body.total_bytes > rules.bytes) throw invalidRequest(`total_bytes: maximum for ${body.media_category} is ${rules.bytes}`);
  const upload = newUpload(call, world, body.media_category, body.media_type, body.total_bytes);
  return json(200, { data: { id: upload.id, media_key: upload.media_key, expires_after_secs: limits.mediaLifeSeconds } });
}

function append(call: XCall, { world }: Sandbox): Reply {
  const upload = ownUpload(call, world, call.params['id']!);
  if (upload.state !== 'receiving') throw invalidRequest('The upload was already finalized.');
  if (call.body.kind !== 'multipart') throw invalidRequest('The request body must be multipart/form-data.');
  const { fields, files } = call.body;
  const index = Number(fields['segment_index']);
  if (!/^\d+$/.test(fields['segment_index'] ?? '') || index > limits.maxSegmentIndex)
    throw invalidRequest('segment_index must be between 0 and 999.');
  const chunk = files.find((file) => file.field === 'media')?.bytes;
  if (!chunk?.length) throw invalidRequest('media: a chunk is required.');
  if (chunk.length > limits.chunkBytes) throw invalidRequest(`media: a chunk may have at most ${limits.chunkBytes} bytes.`);
  const received = segmentsOf(upload);
  if (received.has(index)) throw invalidRequest(`segment_index ${index} was already received.`);
  received.set(index, chunk);
  const total = [...received.values()].reduce((sum, one) => sum + one.length, 0);
  if (total > upload.total_bytes) {
    received.delete(index);
    throw invalidRequest('The segments exceed total_bytes.');
  }
  return json(200, { data: { expires_at: Math.floor(upload.expires_at / 1000) } });
}

async function finalize(call: XCall, sandbox: Sandbox): Promise<Reply> {
  const upload = ownUpload(call, sandbox.world, call.params['id']!);
  if (upload.state !== 'receiving') throw invalidRequest('The upload was already finalized.');
  const received = segmentsOf(upload);
  const ordered = [...received.keys()].sort((a, b) => a - b);
  if (ordered.length === 0 || ordered.some((index, position) => index !== position))
    throw invalidRequest('Segments do not add up: an index is missing.');
  const segments = ordered.map((index) => received.get(index)!);
  const size = segments.reduce((sum, one) => sum + one.length, 0);
  if (size !== upload.total_bytes)
    throw invalidRequest(`Segments do not add up to provided total file size: ${size} of ${upload.total_bytes}.`);
  const bytes = await sandbox.spool.join(segments);
  // After a rejection the upload may be finalized again.
  received.clear();
  received.set(0, bytes);
  await accept(call, sandbox, upload, bytes);
  return json(200, { data: describe(upload, upload.processing?.started_at ?? sandbox.world.now()) });
}

/** One call for a small image. */
async function uploadAtOnce(call: XCall, sandbox: Sandbox): Promise<Reply> {
  if (call.body.kind !== 'multipart') throw invalidRequest('The request body must be multipart/form-data.');
  const { fields, files } = call.body;
  if (fields['command'] !== undefined) throw invalidRequest('command: use the endpoints initialize, append and finalize.');
  const category = fields['media_category'];
  if (category !== 'tweet_image') throw invalidRequest('media_category must be tweet_image here.');
  const file = files.find((one) => one.field === 'media');
  if (!file?.bytes.length) throw invalidRequest('media is required.');
  if (file.bytes.length > limits.categories[category].bytes) throw invalidRequest('media: the file is too large.');
  const image = await inspectImage(file.bytes);
  if (!image || !(limits.categories[category].types as readonly string[]).includes(image.contentType))
    throw invalidRequest('media: media type unrecognized.');
  const upload = newUpload(call, sandbox.world, category, image.contentType, file.bytes.length);
  await accept(call, sandbox, upload, file.bytes);
  return json(200, { data: describe(upload, sandbox.world.now()) });
}

function getStatus(call: XCall, { world }: Sandbox): Reply {
  if (call.query.get('command') !== 'STATUS') throw invalidRequest('command must be STATUS.');
  const upload = ownUpload(call, world, call.query.get('media_id') ?? '');
  if (upload.state !== 'finalized') throw invalidRequest('The upload was not finalized.');
  return json(200, { data: describe(upload, world.now()) });
}

function createMetadata(call: XCall, { world }: Sandbox): Reply {
  const body = strict(metadataBody, jsonBody(call));
  const upload = ownUpload(call, world, body.id);
  const alt = body.metadata.alt_text?.text ?? '';
  if ([...alt].length > limits.altTextCharacters)
    throw invalidRequest(`metadata.alt_text.text: at most ${limits.altTextCharacters} characters`);
  const media = upload.media_id ? world.media.get(upload.media_id) : undefined;
  if (!media) throw invalidRequest('The media was not finalized.');
  media.alt_text = alt;
  world.touched();
  return json(200, { data: { id: upload.id, associated_metadata: { alt_text: { text: alt } } } });
}

/** Images are ready at once; a GIF or video is processed, and problems appear in STATUS. */
async function accept(call: XCall, { world, config }: Sandbox, upload: Upload, bytes: SpooledFile): Promise<void> {
  const still = upload.category === 'tweet_image';
  const inspection = upload.media_type.startsWith('image/') ? await inspectImage(bytes) : await inspectVideo(bytes);
  const fault = faultOf(upload, inspection, call.user.subscription_type === 'Premium' ? Infinity : limits.video.maxMs);
  if (still && fault) throw invalidRequest(`media: ${fault}`);
  upload.state = 'finalized';
  upload.expires_at = world.now() + limits.mediaLifeSeconds * 1000;
  dropSegments(upload);
  if (inspection && !fault) upload.media_id = keepMedia(world, bytes, inspection, null).id;
  if (!still || call.processing.ms !== undefined || call.processing.error) {
    upload.processing = startProcessing(
      world.now(),
      config.processingMs,
      call.processing,
      { code: 1, message: 'file is currently unsupported' },
      async () => (fault === null ? null : { code: 1, message: fault }),
      world.touched,
    );
  }
  world.touched();
}

function faultOf(upload: Upload, seen: Inspection | null, maxMs: number): string | null {
  if (!seen) return 'InvalidMedia: the file could not be read';
  if (seen.contentType !== upload.media_type) return `InvalidMedia: the file is ${seen.contentType}, not ${upload.media_type}`;
  if (upload.category === 'tweet_gif') {
    const { width, height, frames } = limits.gif;
    return seen.width > width || seen.height > height || seen.frames > frames
      ? 'InvalidMedia: the GIF exceeds 1280x1080 or 350 frames'
      : null;
  }
  if (seen.kind === 'image') return null;
  const { video } = limits;
  const ratio = seen.width / seen.height;
  if (seen.codec !== 'avc') return 'InvalidMedia: the video codec is not supported';
  if (seen.durationMs === null || seen.durationMs < video.minMs || seen.durationMs > maxMs)
    return 'InvalidMedia: Duration too long or too short';
  const [shorter, longer] = [Math.min(seen.width, seen.height), Math.max(seen.width, seen.height)];
  if (shorter < video.minSide || shorter > video.maxShorterSide || longer > video.maxLongerSide)
    return 'InvalidMedia: the dimensions are not supported';
  if (ratio > video.ratio || ratio < 1 / video.ratio) return 'InvalidMedia: the aspect ratio is not supported';
  return seen.framesPerSecond !== null && seen.framesPerSecond > video.maxFps + 0.5
    ? 'InvalidMedia: the frame rate is not supported'
    : null;
}

function newUpload(call: XCall, world: Sandbox['world'], category: Category, mediaType: string, totalBytes: number): Upload {
  const id = newXId(world);
  const prefix = { tweet_image: 3, tweet_gif: 16, tweet_video: 7, amplify_video: 13 }[category];
  const upload: Upload = {
    id,
    media_key: `${prefix}_${id}`,
    user_id: call.user.id,
    category,
    media_type: mediaType,
    total_bytes: totalBytes,
    state: 'receiving',
    media_id: null,
    processing: null,
    expires_at: world.now() + limits.mediaLifeSeconds * 1000,
  };
  uploads(world).set(id, upload);
  return upload;
}

function ownUpload(call: XCall, world: Sandbox['world'], id: string): Upload {
  const upload = uploads(world).get(id);
  if (upload?.user_id !== call.user.id || upload.expires_at <= world.now()) throw invalidRequest(`Invalid media id ${id}`);
  return upload;
}

function describe(upload: Upload, now: number) {
  return {
    id: upload.id,
    media_key: upload.media_key,
    size: upload.total_bytes,
    expires_after_secs: Math.max(0, Math.floor((upload.expires_at - now) / 1000)),
    ...(upload.processing && { processing_info: processingInfo(upload.processing, now) }),
  };
}

function processingInfo(processing: NonNullable<Upload['processing']>, now: number) {
  const progress = progressOf(processing, now);
  if (progress === 'failed') {
    const { code, message } = processing.failure!;
    return { state: 'failed', progress_percent: 100, error: { code, name: 'InvalidMedia', message } };
  }
  if (progress === 'finished') return { state: 'succeeded', progress_percent: 100 };
  const spent = now - processing.started_at;
  const whole = Math.max(1, processing.ready_at - processing.started_at);
  const checkAfter = Math.max(1, Math.min(10, Math.ceil((processing.ready_at - now) / 1000)));
  return spent === 0
    ? { state: 'pending', check_after_secs: checkAfter }
    : { state: 'in_progress', check_after_secs: checkAfter, progress_percent: Math.min(99, Math.floor((spent * 100) / whole)) };
}

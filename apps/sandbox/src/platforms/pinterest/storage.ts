import { inspectVideo, type Inspection } from '../../media/inspect.ts';
import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import { keepMedia } from '../../world/media.ts';
import { startProcessing } from '../../world/processing.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { storageError } from './errors.ts';
import { hosts, limits } from './limits.ts';
import { uploads } from './state.ts';

/** Pinterest's S3 bucket: accepts one file with a signed form, by S3's POST policy. */
export const storageOperations: Operation[] = [
  { name: 'pinterest.upload_video', hosts: [hosts.storage], method: 'POST', path: '/', processes: true, handle: uploadVideo },
];

function uploadVideo(call: Call, { world, config }: Sandbox): Reply {
  const { body, headers } = call;
  if (headers['content-length'] === undefined)
    return storageError(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  if (headers['authorization'] !== undefined) return storageError(400, 'InvalidArgument', 'Only one auth mechanism allowed.');
  if (body.kind !== 'multipart')
    return storageError(412, 'PreconditionFailed', 'Bucket POST must be of the enclosure-type multipart/form-data.');
  const [file, ...others] = body.files;
  if (!file || others.length > 0 || file.field !== 'file')
    return storageError(400, 'InvalidArgument', 'POST requires exactly one file upload per request.');
  // Fields after the file are not read.
  const names = body.names.slice(0, body.names.indexOf('file'));
  const fields = Object.fromEntries(names.map((name) => [name, body.fields[name] ?? '']));
  const upload = [...uploads(world).values()].find((one) => one.parameters['key'] === fields['key']);
  if (!upload) return storageError(403, 'AccessDenied', 'Invalid according to Policy: Policy Condition failed.');
  if (upload.expires_at <= world.now()) return storageError(403, 'AccessDenied', 'Invalid according to Policy: Policy expired.');
  if (fields['x-amz-signature'] !== upload.parameters['x-amz-signature'])
    return storageError(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match the signature you provided.');
  const wrong = Object.entries(upload.parameters).find(([name, value]) => fields[name] !== value)?.[0];
  if (wrong !== undefined) return storageError(403, 'AccessDenied', `Invalid according to Policy: Policy Condition failed: ${wrong}`);
  const extra = names.find((name) => !Object.hasOwn(upload.parameters, name));
  if (extra !== undefined) return storageError(403, 'AccessDenied', `Invalid according to Policy: Extra input fields: ${extra}`);
  const { bytes } = file;
  if (bytes.length > limits.videoBytes)
    return storageError(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size.');
  upload.processing = startProcessing(
    world.now(),
    config.processingMs,
    call.processing,
    { code: 1, message: 'The video could not be processed.' },
    async () => {
      const seen = await inspectVideo(bytes);
      const problem = problemOf(seen);
      if (problem !== null) return { code: 1, message: problem };
      upload.media_id = keepMedia(world, bytes, seen!, null).id;
      return null;
    },
    world.touched,
  );
  world.touched();
  return { status: 204, headers: {}, body: { kind: 'none' } };
}

function problemOf(seen: Inspection | null): string | null {
  if (!seen || !(limits.videoTypes as readonly string[]).includes(seen.contentType)) return 'The container format is not supported.';
  if (!(limits.codecs as readonly (string | null)[]).includes(seen.codec)) return 'The codec is not supported.';
  const { minMs, maxMs, minRatio, maxRatio } = limits.video;
  if (seen.durationMs === null || seen.durationMs < minMs - 50 || seen.durationMs > maxMs) return 'The video is too short or too long.';
  const ratio = seen.width / seen.height;
  return ratio < minRatio - 0.005 || ratio > maxRatio + 0.005 ? 'The aspect ratio is not supported.' : null;
}

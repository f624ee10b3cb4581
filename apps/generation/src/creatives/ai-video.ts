import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { derivedId } from '@fanfare/runtime';
import { storeMedia } from '../media/store-media.ts';
import { CreativeFailed, mediaOperation, type Creative } from './creative.ts';

const SECONDS = 8;

/** A video from a video model: started once, recorded, and polled until it is complete. */
export const aiVideo: Creative = async (context, { jobId, draft, copy, idea, request, metadata, signal }) => {
  const model = context.providers.videoModel;
  if (!model) throw new CreativeFailed('This server has no video model (VIDEO_MODEL_URL).');
  const { pollMs } = context.config.jobs;
  const { provider_id: begun } = draft;
  if (begun === undefined) {
    const providerId = await model.start(
      { prompt: `${idea.title}. ${idea.summary}`, ratio: request.aspect_ratio, seconds: SECONDS },
      signal,
    );
    return { providerId, waitMs: pollMs };
  }
  const status = await model.status(begun, signal);
  if (status.state === 'failed') throw new CreativeFailed(`The video model failed: ${status.message}`);
  if (status.state !== 'completed') return { providerId: begun, waitMs: pollMs };
  const directory = await mkdtemp(path.join(context.config.rendering.spoolDirectory, 'ai-video-'));
  try {
    const file = path.join(directory, 'video');
    await model.download(begun, file, signal);
    const id = derivedId(jobId, mediaOperation(draft, 'ai-video'));
    const media = await storeMedia(context, { id, bytes: { file }, fileName: 'ai-video.mp4', altText: copy.altText }, metadata, signal);
    return { made: { media: [media], image_keyword: idea.imageKeyword } };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

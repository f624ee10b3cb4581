import { derivedId } from '@fanfare/runtime';
import { storeMedia } from '../media/store-media.ts';
import { CreativeFailed, mediaOperation, type Creative } from './creative.ts';

/** An image from an image model. */
export const aiImage: Creative = async (context, { jobId, draft, copy, idea, request, metadata, signal }) => {
  const model = context.providers.imageModel;
  if (!model) throw new CreativeFailed('This server has no image model (IMAGE_MODEL_URL).');
  const bytes = await model.create(
    { idea: `${idea.title}. ${idea.summary}`, type: request.ai_image_type, style: request.ai_image_style, ratio: request.aspect_ratio },
    signal,
  );
  const id = derivedId(jobId, mediaOperation(draft, 'ai-image'));
  const media = await storeMedia(context, { id, bytes, fileName: 'ai-image.png', altText: copy.altText }, metadata, signal);
  return { made: { media: [media], image_keyword: idea.imageKeyword } };
};

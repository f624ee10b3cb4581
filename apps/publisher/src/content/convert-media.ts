import { conversionFor, type Connector, type Content, type ContentMedia, type Options } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { systemCall } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { readRange, URLS_VALID_FOR_SECONDS } from './load-content.ts';

/** A derivative is still being made. */
export class ConversionUnderWay extends Error {}
/** The library cannot make a derivative that the platform accepts. */
export class ConversionFailed extends Error {}

/**
 * The content with derivatives of its media, where the platform does not accept their type, bytes or pixels, or an aspect ratio that the options say to
 * pad. The library makes them once for
 * each recipe, so that every run of the delivery sends the same bytes.
 * @throws ConversionUnderWay, ConversionFailed; DomainError internal_error when the library does not respond
 */
export async function convertMedia(context: Context, connector: Connector, content: Content, delivery: DeliveryDocument): Promise<Content> {
  const convert = (media: ContentMedia, options?: Options) => converted(context, connector, media, options, delivery);
  const media = await Promise.all(content.media.map((one) => convert(one, content.options)));
  // A cover has the ratio of its video; the platforms' limits for images do not apply to it.
  return { ...content, media, ...(content.cover && { cover: await convert(content.cover) }) };
}

async function converted(
  { insideHttp, library }: Context,
  { limits }: Connector,
  media: ContentMedia,
  options: Options | undefined,
  delivery: DeliveryDocument,
): Promise<ContentMedia> {
  const recipe = conversionFor(limits, media, options);
  if (!recipe) return media;
  const { organization_id: organizationId, business_id: businessId, flow_id: flowId } = delivery;
  const call = { metadata: systemCall('publisher', { organizationId, businessId, flowId }) };
  const request = { mediaId: media.id, recipe: { ...NO_RECIPE, ...recipe }, validForSeconds: URLS_VALID_FOR_SECONDS };
  const { derivative, failure } = await library.makeDerivative(request, { call }).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'invalid_value') throw new ConversionFailed(error.message, { cause: error });
    throw error;
  });
  if (failure) throw new ConversionFailed(failure.detail);
  if (!derivative) throw new ConversionUnderWay();
  const { mimeType, sizeBytes, width, height, durationMs, publicUrl, internalUrl } = derivative;
  return {
    ...media,
    ...{ mimeType, sizeBytes, width, height, publicUrl },
    ...(durationMs !== undefined && { durationMs }),
    ...(media.frames !== undefined && { frames: 1 }),
    ...(recipe.maxFrameRate !== undefined && { frameRate: recipe.maxFrameRate }),
    read: (start, end) => readRange(insideHttp, internalUrl, start, end),
  };
}

const NO_RECIPE = {
  ...{ maxWidth: undefined, maxHeight: undefined, minWidth: undefined, maxBytes: undefined, minRatio: undefined, maxRatio: undefined },
  ...{ background: undefined, maxFrameRate: undefined, maxBitRate: undefined, frameAtMs: undefined },
};

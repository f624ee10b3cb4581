import type { Content, ContentMedia } from '@fanfare/connectors';
import type { SignedMedia } from '@fanfare/contracts/library';
import { notFound } from '@fanfare/errors';
import { systemCall } from '@fanfare/rpc';
import type { Dispatcher } from 'undici';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';

/** Platforms may fetch slowly, and a container lives for a day. */
export const URLS_VALID_FOR_SECONDS = 24 * 3600;
const READ_TIMEOUT_MS = 60_000;

/**
 * The content of a delivery, with new signed URLs of its media for this run.
 * @throws DomainError resource_not_found when a media was deleted; internal_error when the library does not respond
 */
export async function loadContent(context: Context, delivery: DeliveryDocument): Promise<Content> {
  const { caption, title, link, first_comment, media_ids, options, cover_media_id, video_cover_timestamp_ms } = delivery.content;
  const ids = [...new Set([...media_ids, ...(cover_media_id === undefined ? [] : [cover_media_id])])];
  const media = new Map<string, ContentMedia>();
  if (ids.length > 0) {
    const scope = { organizationId: delivery.organization_id, businessId: delivery.business_id, flowId: delivery.flow_id };
    const call = { metadata: systemCall('publisher', scope) };
    const signed = await context.library.signMediaUrls({ mediaIds: ids, validForSeconds: URLS_VALID_FOR_SECONDS }, { call });
    for (const one of signed.media) if (one.media) media.set(one.media.id, toContentMedia(context, one, one.media));
    // An album with one image missing is not what the customer requested.
    if (ids.some((id) => !media.has(id))) throw notFound('media');
  }
  const cover = cover_media_id === undefined ? undefined : media.get(cover_media_id);
  return {
    caption,
    media: media_ids.flatMap((id) => media.get(id) ?? []),
    ...(title !== undefined && { title }),
    ...(link !== undefined && { link }),
    ...(first_comment !== undefined && { firstComment: first_comment }),
    ...(options !== undefined && { options }),
    ...(cover && { cover }),
    ...(video_cover_timestamp_ms !== undefined && { videoCoverTimestampMs: video_cover_timestamp_ms }),
  };
}

function toContentMedia(
  { insideHttp }: Pick<Context, 'insideHttp'>,
  { publicUrl, internalUrl }: SignedMedia,
  media: NonNullable<SignedMedia['media']>,
): ContentMedia {
  return {
    id: media.id,
    type: media.type === 'MEDIA_TYPE_VIDEO' ? 'video' : 'image',
    mimeType: media.mimeType,
    sizeBytes: media.sizeBytes,
    width: media.width,
    height: media.height,
    ...(media.durationMs !== undefined && { durationMs: media.durationMs }),
    ...(media.facts?.frames !== undefined && { frames: media.facts.frames }),
    ...(media.facts?.frameRate !== undefined && { frameRate: media.facts.frameRate }),
    altText: media.altText,
    publicUrl,
    read: (start, end) => readRange(insideHttp, internalUrl, start, end),
  };
}

/** Bytes `start` to `end`, both included, from the library's own URL. */
export async function readRange(dispatcher: Dispatcher, url: string, start: number, end: number): Promise<Buffer> {
  const headers = { range: `bytes=${start}-${end}` };
  const { origin, pathname, search } = new URL(url);
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  const response = await dispatcher.request({ origin, path: pathname + search, method: 'GET', headers, signal });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Never read more than was requested, whatever the library sends.
    if (response.statusCode === 206) {
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > end - start + 1) break;
        chunks.push(chunk);
      }
    }
  } finally {
    response.body.on('error', () => undefined).destroy();
  }
  if (response.statusCode !== 206 || bytes !== end - start + 1) {
    throw new Error(
      `The library responded with status ${response.statusCode} and ${bytes} bytes to a request for bytes ${start} to ${end}.`,
    );
  }
  return Buffer.concat(chunks);
}

import { derivedId } from '@fanfare/runtime';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../context.ts';
import type { MadeCreative } from '../jobs/drafts/draft.ts';
import { storeMedia } from '../media/store-media.ts';
import { ProviderFailed } from '../providers/provider-failed.ts';
import type { StockPhoto, StockPhotos } from '../providers/stock-photos.ts';
import { CreativeFailed, mediaOperation, type Creative, type CreativeOrder } from './creative.ts';
import { matchingImage } from './library-image.ts';

const MAX_BYTES = 30 << 20;
const TIMEOUT_MS = 25_000;

/** A photo: a stock photo if stock photos are allowed and one matches, or else an image of the business's library. */
export const image: Creative = async (context, order) => {
  const { copy, idea, draft, request, libraryImages } = order;
  const keyword = idea.imageKeyword || copy.title;
  const stock = context.providers.stockPhotos;
  const isAllowed = request.include_stock && stock !== undefined;
  const found = isAllowed ? await search(stock, keyword, order) : [];
  const photos = found instanceof ProviderFailed ? [] : found;
  const photo = photos[draft.index % photos.length];
  if (photo) return { made: await stored(context, order, photo, keyword) };
  const own = matchingImage(await libraryImages(), `${keyword} ${idea.title}`, draft.index);
  if (own) return { made: { media: [{ id: own.id, url: own.url }], image_keyword: keyword } };
  if (found instanceof ProviderFailed) throw found;
  const why = isAllowed
    ? 'No matching stock photo was found.'
    : request.include_stock
      ? 'This server has no stock photo provider.'
      : 'Stock photos are not allowed for this job.';
  throw new CreativeFailed(`No image in the library matches “${keyword.slice(0, 80)}”. ${why}`);
};

/** Returns the failure instead of throwing it: if the provider is unavailable, the library may have an image. */
async function search(stock: StockPhotos, query: string, { request, signal }: CreativeOrder): Promise<StockPhoto[] | ProviderFailed> {
  try {
    return await stock.search({ query, ratio: request.aspect_ratio }, signal);
  } catch (error) {
    if (error instanceof ProviderFailed) return error;
    throw error;
  }
}

async function stored(context: Context, order: CreativeOrder, photo: StockPhoto, keyword: string): Promise<MadeCreative> {
  const { jobId, draft, copy, metadata, signal } = order;
  const directory = await mkdtemp(path.join(context.config.rendering.spoolDirectory, 'stock-'));
  try {
    const file = path.join(directory, 'photo');
    await context.web.download(photo.url, { toFile: file, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
    const id = derivedId(jobId, mediaOperation(draft, 'stock'));
    const altText = photo.alt || copy.altText;
    const description = `Photo by ${photo.photographer}.`;
    const media = await storeMedia(context, { id, bytes: { file }, fileName: 'stock-photo.jpg', altText, description }, metadata, signal);
    return { media: [media], image_keyword: keyword };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

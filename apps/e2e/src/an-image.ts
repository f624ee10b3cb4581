import sharp from 'sharp';
import type { Platform } from './platform.ts';

/** A real JPEG. */
export const jpeg = (width = 640, height = 640, background = '#3366cc'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** Uploads a file as media of the test's business. */
export const upload = ({ fanfare, tenant }: Platform, bytes: Buffer, filename = 'photo.jpg', type = 'image/jpeg') =>
  fanfare.media.upload(tenant.business_id, { file: new File([Uint8Array.from(bytes)], filename, { type }) });

/** Uploads an image and returns its media id. */
export async function anImage(platform: Platform, background?: string): Promise<string> {
  return (await upload(platform, await jpeg(640, 640, background))).id;
}

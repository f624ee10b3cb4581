import sharp from 'sharp';
import type { Platform } from './platform.ts';

/** A real JPEG. */
export const jpeg = (width = 640, height = 640, background = '#3366cc'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** Uploads a file as media of the test's business. Answers with the API's answer. */
export function upload(platform: Platform, bytes: Buffer, filename = 'photo.jpg', type = 'image/jpeg') {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bytes)], { type }), filename);
  return platform.api<{ id: string; url: string; width: number; code?: string; param?: string }>(
    'POST',
    `/api/businesses/${platform.tenant.business_id}/media`,
    form,
  );
}

/** Uploads a picture and answers with its media id. */
export async function anImage(platform: Platform, background?: string): Promise<string> {
  const { status, body } = await upload(platform, await jpeg(640, 640, background));
  if (status !== 201) throw new Error(`the upload answered ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

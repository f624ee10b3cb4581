import type { connectPinterest } from './connect-pinterest.ts';
import { reel, until, type RunningSandbox } from '../running-sandbox.ts';

/** The reel at half the speed: six seconds, long enough for Pinterest. */
export const video = (() => {
  const slowed = Buffer.from(reel);
  for (const box of ['mvhd', 'mdhd']) {
    for (let at = slowed.indexOf(box); at >= 0; at = slowed.indexOf(box, at + 4)) {
      slowed.writeUInt32BE(slowed.readUInt32BE(at + 16) / 2, at + 16);
    }
  }
  return slowed;
})();

/** The form for the storage: the signed parameters, then the file. */
export function formOf(parameters: Record<string, string>, bytes: Buffer = video): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parameters)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'video/mp4' }), 'video.mp4');
  return form;
}

/** Registers, sends and processes a video, whatever the result. */
export async function uploadVideo({ call }: RunningSandbox, user: Awaited<ReturnType<typeof connectPinterest>>, bytes = video) {
  const { media_id, upload_url, upload_parameters } = (await user.post('media', { media_type: 'video' })).body;
  expect((await call(upload_url, { body: formOf(upload_parameters, bytes) })).status).toBe(204);
  await until(
    () => user.get(`media/${media_id}`),
    ({ body }) => body.status !== 'processing',
  );
  return media_id as string;
}

import { newId } from '@fanfare/runtime';
import sharp from 'sharp';
import { aCall, aJpeg, mediaOf, startLibrary, type TestLibrary } from '../start-library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await startLibrary({ backgroundProcesses: 0 });
});
afterAll(() => library.stop());

test('without a copy that has no location data, no URL is signed', async () => {
  const where = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } };
  const bytes = await sharp(await aJpeg())
    .withExif(where)
    .jpeg()
    .toBuffer();
  const id = newId();
  await mediaOf(await library.upload(id, new Uint8Array(bytes)));
  const signed = library.client.signMediaUrls({ mediaIds: [id], validForSeconds: 3600 }, { call: aCall(), timeoutMs: 1_500 });
  await expect(signed).rejects.toMatchObject({ code: 'internal_error', retryAfterSeconds: 5 });
});

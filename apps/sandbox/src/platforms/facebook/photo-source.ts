import { inspectImage, type Inspection } from '../../media/inspect.ts';
import { pull } from '../../media/pull.ts';
import type { UploadedFile } from '../../wire/body.ts';
import { keepMedia, type Media } from '../../world/media.ts';
import type { World } from '../../world/world.ts';
import { reject } from '../graph/errors.ts';
import { limits } from './limits.ts';

/** Fetches the image of a URL, or uses the uploaded one, and rejects what Facebook would not accept. */
export async function photoFrom(world: World, source: { url: string } | { file: UploadedFile }, altText: string | null): Promise<Media> {
  const { bytes, contentType } = 'url' in source ? await fetched(source.url) : source.file;
  if (!contentType.startsWith('image/')) throw invalidImage(`The Content-Type was ${contentType || 'missing'}`);
  if (bytes.length > limits.photoBytes) throw wrongFormat();
  const inspection = await inspectImage(bytes);
  if (!inspection) throw invalidImage('It could not be decoded');
  if (!isAccepted(inspection)) throw wrongFormat();
  return keepMedia(world, bytes, inspection, 'url' in source ? source.url : null, altText);
}

async function fetched(url: string) {
  const got = await pull(url, limits.photoBytes);
  if (!got.ok) throw invalidImage(got.why);
  return got;
}

const isAccepted = ({ contentType }: Inspection) => (limits.photoTypes as readonly string[]).includes(contentType);

const invalidImage = (why: string) =>
  reject({
    message: '(#324) Missing or invalid image file',
    code: 324,
    subcode: 2_069_019,
    title: 'Invalid image',
    userMessage: `The image could not be used: ${why}.`,
  });

const wrongFormat = () =>
  reject({
    message: 'Invalid parameter',
    code: 100,
    subcode: 1_366_046,
    title: "Your photos couldn't be uploaded",
    userMessage: 'Photos should be smaller than 10 MB and saved as JPG, PNG, GIF, TIFF or BMP files.',
  });

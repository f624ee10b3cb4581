import { stat } from 'node:fs/promises';
import { MediaRefused } from './media-refused.ts';
import { probeImage } from './probe-image.ts';
import { probeVideo } from './probe-video.ts';

/** What the bytes turned out to be. */
export interface Probe {
  readonly type: 'image' | 'video';
  readonly mimeType: string;
  /** Pixels, after orientation. */
  readonly width: number;
  readonly height: number;
  readonly durationMs?: number;
}

/**
 * Tells what a file holds by its content alone and makes sure that it is whole.
 * Formats are a closed list: nothing that can carry script (SVG, HTML, PDF) is ever served from our host.
 * @throws MediaRefused
 */
export async function probeMedia(file: string): Promise<Probe> {
  const { size } = await stat(file);
  if (size === 0) throw new MediaRefused('The file is empty.');
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(file);
  const image = IMAGES[found?.mime ?? ''];
  if (image !== undefined) return probeImage(file, image);
  const video = VIDEOS[found?.mime ?? ''];
  if (video !== undefined) return probeVideo(file, video);
  throw new MediaRefused('This is no JPEG, PNG, GIF or WebP image and no MP4, MOV or WebM video.', found?.mime);
}

/** By what the bytes say: how they are served. */
const IMAGES: Readonly<Record<string, string>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
};

const VIDEOS: Readonly<Record<string, string>> = {
  'video/mp4': 'video/mp4',
  'video/x-m4v': 'video/mp4',
  'video/quicktime': 'video/quicktime',
  'video/webm': 'video/webm',
};

import { MediaRefused } from './media-refused.ts';
import type { Probe } from './probe-media.ts';

/**
 * Reads a video's size and length from its container and makes sure that the last picture is really there; nothing is decoded.
 */
export async function probeVideo(file: string, mimeType: string): Promise<Probe> {
  // Loaded with the first video, like the image decoder.
  const { EncodedPacketSink, FilePathSource, Input, MP4, QTFF, WEBM } = await import('mediabunny');
  const source = new FilePathSource(file, { maxCacheSize: 2 * 1024 * 1024, handleUnhandledError: () => undefined });
  using input = new Input({ source, formats: [MP4, QTFF, WEBM] });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw new MediaRefused('The file holds no video track, or is cut short.');
    const [width, height, seconds] = [await track.getDisplayWidth(), await track.getDisplayHeight(), await input.computeDuration()];
    const lastPacket = await new EncodedPacketSink(track).getPacket(Number.MAX_SAFE_INTEGER);
    if (!lastPacket || !(seconds > 0) || width < 1 || height < 1) throw damaged();
    return { type: 'video', mimeType, width, height, durationMs: Math.round(seconds * 1000) };
  } catch (error) {
    throw error instanceof MediaRefused ? error : damaged(error);
  }
}

const damaged = (cause?: unknown) => new MediaRefused('The video is damaged or cut short.', cause);

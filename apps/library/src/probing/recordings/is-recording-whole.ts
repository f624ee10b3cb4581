import { stat } from 'node:fs/promises';
import { isWavWhole } from './is-wav-whole.ts';

/**
 * Whether the last frame that the index of a file lists is present. Formats without an index (MP3, AAC, OGG) play as far as they go, so nothing can be
 * missing.
 */
export async function isRecordingWhole(file: string, mimeType: string): Promise<boolean> {
  if (mimeType === 'audio/wav') return isWavWhole(file);
  // Loaded on demand, like the image decoder.
  const { EncodedPacketSink, FilePathSource, FLAC, Input, MP4, QTFF, WEBM } = await import('mediabunny');
  const formats = { mp4: [MP4, QTFF], quicktime: [MP4, QTFF], webm: [WEBM], flac: [FLAC] }[mimeType.split('/')[1] ?? ''];
  if (!formats) return (await stat(file)).size > 0;
  const source = new FilePathSource(file, { maxCacheSize: 2 * 1024 * 1024, handleUnhandledError: () => undefined });
  using input = new Input({ source, formats });
  try {
    const track = (await input.getPrimaryVideoTrack()) ?? (await input.getPrimaryAudioTrack());
    return track !== null && (await new EncodedPacketSink(track).getPacket(Number.MAX_SAFE_INTEGER)) !== null;
  } catch {
    return false;
  }
}

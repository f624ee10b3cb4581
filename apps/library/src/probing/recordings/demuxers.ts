/** The ffmpeg demuxer of each type. Always passed explicitly, because ffmpeg could detect a playlist, which opens other files. */
export const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'audio/mp4': 'mov',
  'audio/webm': 'matroska',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'image/gif': 'gif',
};

/**
 * The arguments with which ffmpeg and ffprobe must read an untrusted file: with the given demuxer, and from this file only.
 * @throws Error for a type that ffmpeg must not read
 */
export function inputArguments(file: string, mimeType: string): string[] {
  const demuxer = DEMUXERS[mimeType];
  if (demuxer === undefined) throw new Error(`${mimeType} is not a format that ffmpeg reads here.`);
  return ['-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${file}`];
}

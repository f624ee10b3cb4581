/** What ffmpeg reads each type with. It is always told: what it would find out by itself may be a playlist that opens other files. */
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
 * How ffmpeg and ffprobe are to read a file that a stranger made: with this demuxer, from this file and nothing else.
 * @throws Error for a type that they are not to read
 */
export function inputArguments(file: string, mimeType: string): string[] {
  const demuxer = DEMUXERS[mimeType];
  if (demuxer === undefined) throw new Error(`${mimeType} is not a format that ffmpeg reads here.`);
  return ['-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${file}`];
}

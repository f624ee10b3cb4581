import { isRecordingWhole } from './is-recording-whole.ts';
import { MediaRejected, overLimit, type Command } from '@fanfare/media-tools';
import type { Probe } from '../probe-media.ts';
import { recordingContainsOtherFile } from './recording-contains-other-file.ts';
import { recordingHasLocation } from './recording-has-location.ts';
import { readStreams, decodesFrame, type Stream, type Streams } from './read-streams.ts';

/** Longest side: twice that of 8K. */
const MAX_SIDE_PIXELS = 16_384;
/** Twice the longest that any platform accepts. */
const MAX_DURATION_SECONDS = 24 * 3600;

/** Reads the properties of a video or audio file, and checks that it is complete. Decodes only the first frame. */
export async function probeRecording(file: string, mimeType: string, ffprobe: Command): Promise<Probe> {
  const found = await readStreams(ffprobe, file, mimeType).catch((error: unknown) => {
    // A missing program is not an error of the file.
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new Error('ffprobe is missing', { cause: error })
      : (overLimit(error) ?? damaged(error));
  });
  const video = found.streams.find(({ codec_type, disposition }) => codec_type === 'video' && disposition?.attached_pic !== 1);
  const audio = found.streams.find(({ codec_type }) => codec_type === 'audio');
  const isVideo = mimeType.startsWith('video/');
  if (!video && !(audio && audioType(mimeType))) {
    throw new MediaRejected(isVideo ? 'The file has no video track or is truncated.' : 'The file has no audio track or is truncated.');
  }
  if (video && !isVideo) throw new MediaRejected('Files of this format can only contain audio. Convert the video to MP4, MOV or WebM.');
  if (!(await isRecordingWhole(file, mimeType))) throw damaged();

  if (video && DECODED.test(video.codec_name ?? '') && !(await decodesFrame(ffprobe, file, mimeType).catch(() => false))) throw damaged();
  if (await recordingContainsOtherFile(file, mimeType)) {
    throw new MediaRejected('The file is not only video or audio: it also contains an HTML page, a script, a PDF or an archive.');
  }

  const seconds = durationOf(found, video ?? audio);
  if (!(seconds > 0)) throw damaged();
  if (seconds > MAX_DURATION_SECONDS) throw new MediaRejected('The video or audio is longer than 24 hours.');
  const rotation = video ? rotationOf(video) : 0;
  const { width, height } = video ? shownSize(video, rotation) : { width: 0, height: 0 };
  if (video && (width < 1 || height < 1)) throw damaged();
  if (Math.max(width, height) > MAX_SIDE_PIXELS) throw new MediaRejected(`The video is too large: ${width} × ${height} pixels.`);

  const bitRate = Number(found.format.bit_rate);
  const frameRate = ratio(video?.avg_frame_rate, '/');
  return {
    type: video ? 'video' : 'audio',
    mimeType: video ? mimeType : (audioType(mimeType) ?? mimeType),
    width,
    height,
    durationMs: Math.max(1, Math.round(seconds * 1000)),
    facts: {
      ...(video && { rotation, video_codec: video.codec_name ?? 'unknown' }),
      ...(audio && { audio_codec: audio.codec_name ?? 'unknown' }),
      ...(video && frameRate > 0 && { frame_rate: Math.round(frameRate * 1000) / 1000 }),
      ...(bitRate > 0 && { bit_rate: Math.round(bitRate) }),
      has_location: await recordingHasLocation(file, mimeType, found),
    },
  };
}

/** Codecs that all ffmpeg versions in use can decode. */
const DECODED = /^(h264|hevc|vp8|vp9|mpeg4)$/;

const damaged = (cause?: unknown) => new MediaRejected('The video or audio is damaged or truncated.', cause);

/** The MIME type of a container without video; undefined if the format has none. */
const audioType = (mimeType: string): string | undefined =>
  mimeType.startsWith('audio/') ? mimeType : { 'video/mp4': 'audio/mp4', 'video/webm': 'audio/webm' }[mimeType];

function durationOf({ format, streams }: Streams, main: Stream | undefined): number {
  const candidates = [format.duration, main?.duration, ...streams.map(({ duration }) => duration)].map(Number);
  return candidates.find((seconds) => seconds > 0) ?? 0;
}

/** In clockwise degrees. Newer versions of ffprobe report the counter-clockwise correction, older ones a tag. */
function rotationOf({ side_data_list = [], tags = {} }: Stream): number {
  const matrix = side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation;
  const clockwise = tags.rotate === undefined ? -Number(matrix ?? 0) : Number(tags.rotate);
  return Number.isFinite(clockwise) ? ((Math.round(clockwise) % 360) + 360) % 360 : 0;
}

function shownSize({ width = 0, height = 0, sample_aspect_ratio }: Stream, rotation: number): { width: number; height: number } {
  const shown = Math.round(width * (ratio(sample_aspect_ratio, ':') || 1));
  return rotation % 180 === 90 ? { width: height, height: shown } : { width: shown, height };
}

/** 0 if there is none. */
function ratio(text: string | undefined, separator: string): number {
  const [over = 0, under = 0] = (text ?? '').split(separator).map(Number);
  return over > 0 && under > 0 ? over / under : 0;
}

import { runFfmpeg, type Command } from '@fanfare/media-tools';
import { inputArguments } from '../probing/recordings/demuxers.ts';

/** Extracts the audio for speech recognition: an MP3 with one channel and 16 kHz, about 14 MB an hour. */
export async function extractSpeech(job: { file: string; mimeType: string; output: string }, ffmpeg: Command): Promise<void> {
  const input = inputArguments(job.file, job.mimeType);
  await runFfmpeg(ffmpeg, [
    ...input,
    '-map',
    '0:a:0',
    '-map_metadata',
    '-1',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-b:a',
    '32k',
    '-f',
    'mp3',
    job.output,
  ]);
}

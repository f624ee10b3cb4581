import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MediaRejected, runFfmpeg, type Command } from '@fanfare/media-tools';
import { RenderRejected, type ClipOrder, type PageOrder, type Rendered, type RenderedClip } from './renderer.ts';

const FRAME_RATE = { gif: 12, video: 30 } as const;
const FADE_SECONDS = 0.5;
/** How far a page is zoomed in while it is shown. */
const ZOOM = 0.06;
/** GIFs are large, and platforms accept only up to 8 MB. */
const GIF_WIDTH = 480;

interface Tools {
  readonly directory: string;
  readonly ffmpeg: Command;
  readonly signal: AbortSignal | undefined;
  readonly draw: (page: PageOrder) => Promise<Rendered>;
}

/**
 * Renders the pages and animates them with ffmpeg: each is zoomed slowly and fades into the next one.
 * @throws RenderRejected
 */
export async function makeClip(order: ClipOrder, { directory, ffmpeg, signal, draw }: Tools): Promise<RenderedClip> {
  const { kind, pages, secondsPerPage } = order;
  // If ffmpeg was not found, the name has no path.
  if (!ffmpeg.some((part) => part.includes('/')))
    throw new RenderRejected('This server cannot make GIFs and videos: ffmpeg is not installed.');
  const rendered = await Promise.all(pages.map(draw));
  const [first] = rendered;
  if (!first) throw new RenderRejected('A clip needs at least one page.');
  const files = await Promise.all(
    rendered.map(async ({ bytes }, index) => {
      const file = path.join(directory, `page-${index}.png`);
      await writeFile(file, bytes);
      return file;
    }),
  );
  const size = kind === 'gif' ? scaled(first, GIF_WIDTH) : first;
  const file = path.join(directory, kind === 'gif' ? 'clip.gif' : 'clip.mp4');
  await run(ffmpeg, argumentsFor(kind, files, size, secondsPerPage, file), signal);
  const contrasts = rendered.flatMap(({ contrast }) => contrast ?? []);
  return {
    file,
    mimeType: kind === 'gif' ? 'image/gif' : 'video/mp4',
    width: size.width,
    height: size.height,
    durationMs: Math.round(lengthOf(files.length, secondsPerPage) * 1_000),
    cover: first.bytes,
    contrast: contrasts.length > 0 ? Math.min(...contrasts) : undefined,
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Even numbers, because H.264 requires them. */
const scaled = ({ width, height }: Size, to: number): Size => ({ width: to, height: Math.round((height * to) / width / 2) * 2 });

/** Pages overlap while they fade. */
const lengthOf = (pages: number, seconds: number) => pages * seconds - (pages - 1) * FADE_SECONDS;

function argumentsFor(kind: ClipOrder['kind'], files: readonly string[], size: Size, seconds: number, output: string): string[] {
  const rate = FRAME_RATE[kind];
  const { width, height } = size;
  const frames = Math.round(seconds * rate);
  const moved = files.map((_, index) => {
    // Every other page is zoomed out. Scaled to twice the size, because ffmpeg moves by whole pixels.
    const zoom = index % 2 === 0 ? `1+${ZOOM}*on/${frames}` : `${1 + ZOOM}-${ZOOM}*on/${frames}`;
    const middle = `x='(iw-iw/zoom)/2':y='(ih-ih/zoom)/2'`;
    return `[${index}:v]scale=${width * 2}:${height * 2},zoompan=z='${zoom}':${middle}:d=${frames}:s=${width}x${height}:fps=${rate},format=yuv420p,setsar=1[p${index}]`;
  });
  const faded = files.slice(1).map((_, index) => {
    const [before, after] = [index === 0 ? 'p0' : `f${index}`, `p${index + 1}`];
    const offset = (index + 1) * (seconds - FADE_SECONDS);
    return `[${before}][${after}]xfade=transition=fade:duration=${FADE_SECONDS}:offset=${offset}[f${index + 1}]`;
  });
  const last = files.length === 1 ? 'p0' : `f${files.length - 1}`;
  const inputs = files.flatMap((file) => ['-i', file]);
  if (kind === 'gif') {
    const palette = `[${last}]split[a][b];[a]palettegen=max_colors=128:stats_mode=diff[c];[b][c]paletteuse=dither=bayer:bayer_scale=4[out]`;
    return [...inputs, '-filter_complex', [...moved, ...faded, palette].join(';'), '-map', '[out]', '-loop', '0', '-f', 'gif', output];
  }
  // A silent audio track, because some platforms reject videos without one.
  const silence = ['-f', 'lavfi', '-i', 'anullsrc=channel_layout=stereo:sample_rate=44100'];
  const encoding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '96k'];
  const mapped = ['-map', `[${last}]`, '-map', `${files.length}:a`, '-shortest', '-t', String(lengthOf(files.length, seconds))];
  return [
    ...inputs,
    ...silence,
    ...['-filter_complex', [...moved, ...faded].join(';')],
    ...mapped,
    ...encoding,
    ...['-movflags', '+faststart', '-f', 'mp4'],
    output,
  ];
}

async function run(ffmpeg: Command, args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  try {
    await runFfmpeg(ffmpeg, args, signal);
  } catch (error) {
    if (error instanceof MediaRejected)
      throw new RenderRejected('Rendering the clip takes more memory or time than allowed.', { cause: error });
    throw error;
  }
}

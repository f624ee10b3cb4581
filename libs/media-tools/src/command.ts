/** A program, and what is put before it so that it runs within limits: `prlimit --cpu=60 /usr/bin/ffprobe`. */
export type Command = readonly [string, ...string[]];

export interface Tools {
  readonly ffmpeg: Command;
  readonly ffprobe: Command;
}

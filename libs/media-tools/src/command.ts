/** A program and its arguments, after the launcher that limits it: `prlimit --cpu=60 /usr/bin/ffprobe`. */
export type Command = readonly [string, ...string[]];

export interface Tools {
  readonly ffmpeg: Command;
  readonly ffprobe: Command;
}

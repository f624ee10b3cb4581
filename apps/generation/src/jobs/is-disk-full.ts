/** Whether Node or ffmpeg failed because the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === 'ENOSPC' || error.message.includes('No space left on device'));

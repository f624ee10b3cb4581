/** Whether that is what Node, or ffmpeg, failed with. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === 'ENOSPC' || error.message.includes('No space left on device'));

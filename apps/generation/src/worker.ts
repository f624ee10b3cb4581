import os from 'node:os';
import sharp from 'sharp';
import { drawPage } from './rendering/draw-page.ts';
import { RenderRefused, type FileFormat, type LookOrder, type PageOrder } from './rendering/renderer.ts';

/** What a thread is asked to draw. */
export interface DrawTask {
  readonly order: PageOrder;
  readonly look: LookOrder;
  readonly format: FileFormat;
  /** In pixels, where it is not the page's own. */
  readonly width: number | undefined;
}

// On Linux this is for the thread alone (setpriority(2)): calls are answered first. Elsewhere it would be for the whole process.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

// The pool has as many threads as there are to be; and what was drawn is not drawn again.
sharp.concurrency(1);
sharp.cache(false);

/** Errors lose their class on the way between threads: what is refused is told as a result. */
export default async function draw({ order, look, format, width }: DrawTask) {
  try {
    return await drawPage(order, look, format, width);
  } catch (error) {
    if (error instanceof RenderRefused) return { refused: error.message };
    throw error;
  }
}

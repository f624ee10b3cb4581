import os from 'node:os';
import sharp from 'sharp';
import { drawPage } from './rendering/draw-page.ts';
import { RenderRejected, type FileFormat, type LookOrder, type PageOrder } from './rendering/renderer.ts';

/** The task of a render thread. */
export interface DrawTask {
  readonly order: PageOrder;
  readonly look: LookOrder;
  readonly format: FileFormat;
  /** In pixels; by default the page's own width. */
  readonly width: number | undefined;
}

/** A third of the CPU time that other work gets, as a nice value. With the lowest priority, a page would reach its time limit on a machine without an idle core. */
const PRIORITY = 5;

// On Linux this lowers the priority of only this thread (setpriority(2)), so that calls come first. On other systems it would affect the whole process.
if (process.platform === 'linux') os.setPriority(Math.max(PRIORITY, os.getPriority()));

// Concurrency comes from the pool, and caching results would be of no use.
sharp.concurrency(1);
sharp.cache(false);

/** Errors lose their class between threads, so that a rejected order is returned as a result. */
export default async function draw({ order, look, format, width }: DrawTask) {
  try {
    return await drawPage(order, look, format, width);
  } catch (error) {
    if (error instanceof RenderRejected) return { rejected: error.message };
    throw error;
  }
}

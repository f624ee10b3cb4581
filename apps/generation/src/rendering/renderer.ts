import type { AspectRatio, Page, TextSlot } from '../templates/template.ts';
import type { Theme } from './paint/theme.ts';

/** An order to render a page. It is plain data, so that it can be sent to a worker thread. */
export interface PageOrder {
  readonly page: Page;
  readonly ratio: AspectRatio;
  readonly texts: Readonly<Partial<Record<TextSlot, string>>>;
  /** An encoded image (JPEG, PNG, WebP, AVIF, GIF) for its image layer. */
  readonly image: Uint8Array | undefined;
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** The colors, fonts and logo that the pages share. */
export interface LookOrder {
  /** Whose order it is. Owners take turns. */
  readonly owner: string;
  readonly theme: Theme;
  /** Font families of headings, then of text. */
  readonly fonts: readonly string[];
  /** An encoded image. */
  readonly logo: Uint8Array | undefined;
  readonly businessName: string;
  /** BCP 47 language of the texts. */
  readonly language: string;
}

export type FileFormat = 'png' | 'jpeg' | 'webp';

/** A rendered page. */
export interface Rendered {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The lowest contrast of its texts with the background; undefined without texts. */
  readonly contrast: number | undefined;
}

/** An order to render a clip of animated pages. */
export interface ClipOrder {
  readonly kind: 'gif' | 'video';
  readonly pages: readonly PageOrder[];
  readonly look: LookOrder;
  readonly secondsPerPage: number;
}

/** A rendered clip and its cover. */
export interface RenderedClip {
  /** A file in the caller's directory. */
  readonly file: string;
  readonly mimeType: 'image/gif' | 'video/mp4';
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  /** PNG of the first page. */
  readonly cover: Uint8Array;
  readonly contrast: number | undefined;
}

/** The order cannot be rendered, such as an image that cannot be decoded; the message is for the caller. A retry does not help. */
export class RenderRejected extends Error {
  override readonly name = 'RenderRejected';
}

/** The order was stopped at the time limit for a page. */
export class RenderTooSlow extends RenderRejected {}

/** The queue is full; the caller can retry. */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy';
}

export interface PageOptions {
  readonly signal?: AbortSignal | undefined;
  readonly width?: number | undefined;
}

/** Renders in worker threads with a limited queue and a time limit for a page, so that rendering never blocks other calls of the service. */
export interface Renderer {
  /**
   * @param options.width in pixels; by default the page's own width
   * @throws RenderRejected, RendererBusy
   */
  page(order: PageOrder, look: LookOrder, format: FileFormat, options?: PageOptions): Promise<Rendered>;
  /**
   * @param directory an empty directory for the frames and the clip; the caller removes it
   * @throws RenderRejected, RendererBusy
   */
  clip(order: ClipOrder, directory: string, signal?: AbortSignal): Promise<RenderedClip>;
  close(): Promise<void>;
}

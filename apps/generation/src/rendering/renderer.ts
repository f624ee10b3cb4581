import type { AspectRatio, Page, TextSlot } from '../templates/template.ts';
import type { Theme } from './paint/theme.ts';

/** A page to be drawn: nothing but data, so that it can be handed to a worker thread. */
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

/** The look that the pages of an order share. */
export interface LookOrder {
  readonly theme: Theme;
  /** Families of headings, then of text. */
  readonly fonts: readonly string[];
  /** An encoded image. */
  readonly logo: Uint8Array | undefined;
  readonly businessName: string;
  /** BCP 47 language of the texts. */
  readonly language: string;
}

export type FileFormat = 'png' | 'jpeg' | 'webp';

/** A page as a file. */
export interface Rendered {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The lowest contrast of its texts with what is behind them; undefined without texts. */
  readonly contrast: number | undefined;
}

/** A clip of pages with motion. */
export interface ClipOrder {
  readonly kind: 'gif' | 'video';
  readonly pages: readonly PageOrder[];
  readonly look: LookOrder;
  readonly secondsPerPage: number;
}

/** A clip as a file, and its cover. */
export interface RenderedClip {
  /** In the directory that the caller gave. */
  readonly file: string;
  readonly mimeType: 'image/gif' | 'video/mp4';
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  /** PNG of the first page. */
  readonly cover: Uint8Array;
  readonly contrast: number | undefined;
}

/** An image or a logo that cannot be decoded; the message is for the caller. Trying again does not help. */
export class RenderRefused extends Error {
  override readonly name = 'RenderRefused';
}

/** More orders wait than there is room for; the caller may try again. */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy';
}

export interface PageOptions {
  readonly signal?: AbortSignal | undefined;
  readonly width?: number | undefined;
}

/** Draws in worker threads, with a queue that has an end: no call of the service waits for a drawing that is not its own. */
export interface Renderer {
  /**
   * @param options.width in pixels, where it is not the page's own
   * @throws RenderRefused, RendererBusy
   */
  page(order: PageOrder, look: LookOrder, format: FileFormat, options?: PageOptions): Promise<Rendered>;
  /**
   * @param directory an empty one of the caller's, who removes it; frames and the clip are files in it
   * @throws RenderRefused, RendererBusy
   */
  clip(order: ClipOrder, directory: string, signal?: AbortSignal): Promise<RenderedClip>;
  close(): Promise<void>;
}

import type { AspectRatio, Template } from '../templates/template.ts';

/** What a design is made of, in the names in which it is stored. */
export interface DesignContent {
  readonly template_id: string;
  /** Of an own template, which may be deleted; one of the product is looked up. */
  readonly template?: Template;
  readonly aspect_ratio: AspectRatio;
  readonly pages: readonly DesignPage[];
  readonly palette: readonly string[];
  readonly fonts: readonly string[];
  readonly logo_media_id: string | null;
}

export interface DesignPage {
  /** By slot. */
  readonly texts: Readonly<Record<string, string>>;
  readonly image_media_id: string | null;
  readonly alt_text: string;
}

import type { Editable } from '@fanfare/mongo';
import type { StoredMedia } from '../media/stored-media.ts';
import type { AspectRatio, Template } from '../templates/template.ts';

/** The content of a design, with the names of the stored fields. */
export interface DesignContent {
  readonly template_id: string;
  /** A copy of a custom template, which can be deleted; absent for built-in templates. */
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

export interface DesignDocument extends Editable, DesignContent {
  organization_id: string;
  business_id: string;
  created_at: Date;
  revision: number;
  name: string;
  /** One media file for each page. */
  media: StoredMedia[];
  deleted: boolean;
}

import type { Design } from '@fanfare/contracts/generation/designs';
import type { DesignDocument } from './design.ts';

export const toDesign = (design: DesignDocument): Design => ({
  id: design._id,
  businessId: design.business_id,
  createdAt: design.created_at,
  updatedAt: design.updated_at,
  revision: design.revision,
  name: design.name,
  templateId: design.template_id,
  aspectRatio: design.aspect_ratio,
  pages: design.pages.map(({ texts, image_media_id, alt_text }) => ({
    texts: { ...texts },
    imageMediaId: image_media_id ?? undefined,
    altText: alt_text,
  })),
  palette: [...design.palette],
  fonts: [...design.fonts],
  logoMediaId: design.logo_media_id ?? undefined,
  media: design.media.map(({ id, url }) => ({ mediaId: id, url })),
});

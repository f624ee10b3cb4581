import { z } from 'zod';
import { text } from '../text/text.ts';

export const altText = () => text(2000).meta({ description: 'Alternative text for people who cannot see the media.' });

/** The description of an uploaded file, in the parts of a form or in the metadata of a resumable upload. */
export const descriptionParts = {
  folder_id: text(100).optional().meta({ format: 'uuid', description: 'The folder for the media; the root if missing.' }),
  alt_text: altText().optional(),
  description: text(5000).optional().meta({ description: 'A description of what the media shows.' }),
};

const file = z.unknown().meta({ type: 'string', format: 'binary', description: 'An image, video or audio file. Send it last.' });
const business = text(100).meta({ format: 'uuid', description: 'The business that owns the media. Send it first.' });

/** A form for the business in the path. */
export const mediaForm = z
  .strictObject({ ...descriptionParts, file })
  .required({ file: true })
  .meta({ id: 'UploadMedia' });

/** A form that contains its business. */
export const businessMediaForm = z
  .strictObject({ business_id: business, ...descriptionParts, file })
  .required({ file: true })
  .meta({ id: 'CreateUpload' });

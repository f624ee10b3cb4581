import { fanOutRows, type FanOutRow } from '../../fan-out/store/fan-out-rows.ts';
import type { MediaUpdate } from '../media-update.ts';

/** A change of media. The id is that of the media. */
interface MediaUpdateDocument extends FanOutRow {
  texts?: NonNullable<MediaUpdate['texts']>;
  facts?: NonNullable<MediaUpdate['facts']>;
}

/** The collection's name is older than the term fan-out. */
export const mediaUpdateRows = fanOutRows<MediaUpdateDocument>('media_news');

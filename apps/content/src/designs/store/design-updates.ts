import { fanOutRows, type FanOutRow } from '../../fan-out/store/fan-out-rows.ts';

/** A new rendering of a design. The id is that of the design. */
export interface DesignUpdateDocument extends FanOutRow {
  media_ids: string[];
}

/** The collection's name is older than the term fan-out. */
export const designUpdateRows = fanOutRows<DesignUpdateDocument>('design_news');

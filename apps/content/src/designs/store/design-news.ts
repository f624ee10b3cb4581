import { fanOutRows, type FanOutRow } from '../../fan-out/store/fan-out-rows.ts';

/** A new rendering of a design; its id is the design's. */
export interface DesignUpdateDocument extends FanOutRow {
  media_ids: string[];
}

export const designUpdateRows = fanOutRows<DesignUpdateDocument>('design_news');

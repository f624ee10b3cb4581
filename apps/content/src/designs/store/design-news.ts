import { newsRows, type News } from '../../news/store/news-rows.ts';

/** News of a design; its id is the design's. */
export interface DesignNewsDocument extends News {
  media_ids: string[];
}

export const designNewsRows = newsRows<DesignNewsDocument>('design_news');

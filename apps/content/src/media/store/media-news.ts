import { newsRows, type News } from '../../news/store/news-rows.ts';
import type { MediaNews } from '../media-news.ts';

/** News of a media; its id is the media's. */
interface MediaNewsDocument extends News {
  texts?: NonNullable<MediaNews['texts']>;
  facts?: NonNullable<MediaNews['facts']>;
}

export const mediaNewsRows = newsRows<MediaNewsDocument>('media_news');

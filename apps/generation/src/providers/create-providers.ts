import type { Logger } from '@fanfare/runtime';
import type { Config } from '../config.ts';
import { createImageModel, type ImageModel } from './image-model.ts';
import { createStockPhotos, type StockPhotos } from './stock-photos.ts';
import { createVideoModel, type VideoModel } from './video-model.ts';

/** The providers in the settings; undefined if not set. */
export interface Providers {
  readonly imageModel: ImageModel | undefined;
  readonly videoModel: VideoModel | undefined;
  readonly stockPhotos: StockPhotos | undefined;
}

export const createProviders = ({ imageModel, videoModel, stockPhotos }: Config, log: Logger): Providers => ({
  imageModel: imageModel && createImageModel(imageModel, log),
  videoModel: videoModel && createVideoModel(videoModel, log),
  stockPhotos: stockPhotos && createStockPhotos(stockPhotos, log),
});

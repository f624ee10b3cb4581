import { startRealSandbox } from '@fanfare/infra';
import type { Config } from '../src/config.ts';
import { startGeneration } from './running-generation.ts';

/** The service with all models and providers in the sandbox. */
export async function startWithModels(change: (config: Config) => Config = (config) => config) {
  const sandbox = await startRealSandbox();
  const models = `${sandbox.url}/openai/v1`;
  const generation = await startGeneration({
    env: {
      FETCH_ALLOWED_ORIGINS: sandbox.url,
      ...{ LANGUAGE_MODEL_URL: models, LANGUAGE_MODEL_KEY: KEY, LANGUAGE_MODEL_INPUT_PRICE: '1', LANGUAGE_MODEL_OUTPUT_PRICE: '10' },
      ...{ IMAGE_MODEL_URL: models, IMAGE_MODEL_KEY: KEY, VIDEO_MODEL_URL: models, VIDEO_MODEL_KEY: KEY },
      ...{ STOCK_PHOTOS_URL: `${sandbox.url}/api.pexels.com`, STOCK_PHOTOS_KEY: KEY },
    },
    change,
  });
  return {
    ...generation,
    sandbox,
    async stop() {
      await generation.stop();
      await sandbox.stop();
    },
  };
}

export const KEY = 'key-of-the-models';

/** A response of a language model with this text. */
export const saying = (content: string, message: object = {}) => ({
  type: 'status',
  status: 200,
  body: {
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null, ...message } }],
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  },
});

import type { Simulated } from '../../platforms/platform.ts';
import { createChatCompletion } from './chat.ts';
import { internalError, invalidKey, notFound, rejection } from './errors.ts';
import { createImage } from './images.ts';
import { HOSTS, openaiOperation } from './openai-operation.ts';
import { createVideo, getVideo, getVideoContent } from './videos.ts';

/** An OpenAI-compatible API: a scripted language model, an image model and a video model. */
export const openai: Simulated = {
  name: 'openai',
  hosts: HOSTS,
  operations: [
    openaiOperation('create_chat_completion', 'POST', '/chat/completions', createChatCompletion),
    openaiOperation('create_image', 'POST', '/images/generations', createImage),
    openaiOperation('create_video', 'POST', '/videos', createVideo, { processes: true }),
    openaiOperation('get_video', 'GET', '/videos/{video_id}', getVideo),
    openaiOperation('get_video_content', 'GET', '/videos/{video_id}/content', getVideoContent),
  ],
  notFound,
  revokedToken: invalidKey,
  rejection,
  internalError,
};

import { Router } from 'express';
import type { Context } from '../context.ts';
import { pageHeaders } from '../pages/html-page.ts';
import { videoFile } from '../world/media.ts';
import { cardStyle } from './card-style.ts';
import { styleSheet } from './style-sheet.ts';
import { timelinePage } from './timeline-page.ts';

/** Media can only be shown, even when they are opened directly. */
const mediaHeaders = {
  'cache-control': 'private, max-age=3600',
  'content-security-policy': "default-src 'none'; media-src 'self'; sandbox",
  'x-content-type-options': 'nosniff',
};

/** The pages for people: the timeline, its style, images and videos. */
export function timelineRoutes({ world }: Context): Router {
  const router = Router();
  router.get('/', (request, response) => {
    response
      .set(pageHeaders)
      .type('html')
      .send(timelinePage(world, request.query['still'] !== undefined));
  });
  router.get('/_control/sandbox.css', (_request, response) => void response.type('css').send(styleSheet + cardStyle));
  router.get('/_control/media/:id', (request, response) => {
    const preview = world.media.get(request.params.id)?.preview;
    if (!preview) response.status(404).json({ error: { message: `There is no image of media ${request.params.id}`, problems: [] } });
    else response.set(mediaHeaders).type('image/webp').send(Buffer.from(preview, 'base64'));
  });
  router.get('/_control/media/:id/video', (request, response) => {
    const media = world.media.get(request.params.id);
    const file = media ? videoFile(media) : null;
    if (!media || file === null)
      response.status(404).json({ error: { message: `There is no video of media ${request.params.id}`, problems: [] } });
    else response.set(mediaHeaders).type(media.content_type).sendFile(file, { cacheControl: false, dotfiles: 'allow' });
  });
  return router;
}

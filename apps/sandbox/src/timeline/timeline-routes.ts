import { Router } from 'express';
import type { Context } from '../context.ts';
import { pageHeaders } from '../platforms/html-page.ts';
import { styleSheet } from './style-sheet.ts';
import { timelinePage } from './timeline-page.ts';

/** What people look at: the timeline, its style and its pictures. */
export function timelineRoutes({ world }: Context): Router {
  const router = Router();
  router.get('/', (_request, response) => void response.set(pageHeaders).type('html').send(timelinePage(world)));
  router.get('/_control/sandbox.css', (_request, response) => void response.type('css').send(styleSheet));
  router.get('/_control/media/:id', (request, response) => {
    const preview = world.media.get(request.params.id)?.preview;
    if (!preview) response.status(404).json({ error: { message: `There is no picture of media ${request.params.id}`, problems: [] } });
    else
      response
        .set({ 'cache-control': 'private, max-age=3600', 'x-content-type-options': 'nosniff' })
        .type('image/webp')
        .send(Buffer.from(preview, 'base64'));
  });
  return router;
}

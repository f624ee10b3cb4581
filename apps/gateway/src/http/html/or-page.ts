import type { Request, Response } from 'express';
import type { Content } from '../raw-route.ts';
import { stateOf } from '../request/request-state.ts';
import { wantsPage } from './wants-page.ts';

/** For raw routes that answer browsers with pages: what goes wrong is one too. */
export function problemsAsPages(request: Request, response: Response): void {
  stateOf(response).isPage = wantsPage(request);
}

/** As OpenAPI describes a page. */
export const PAGE: Content = { 'text/html': { schema: { type: 'string' } } };

import type { Request, Response } from 'express';
import type { Content } from '../raw-route.ts';
import { stateOf } from '../request/request-state.ts';
import { wantsPage } from './wants-page.ts';

/** For raw routes that send pages to browsers: their errors are pages too. */
export function problemsAsPages(request: Request, response: Response): void {
  stateOf(response).isPage = wantsPage(request);
}

/** A page as OpenAPI describes it. */
export const PAGE: Content = { 'text/html': { schema: { type: 'string' } } };

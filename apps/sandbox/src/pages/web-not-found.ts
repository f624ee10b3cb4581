import { html, type Reply } from '../wire/reply.ts';
import { escape, htmlPage, pageHeaders } from './html-page.ts';

/** The platform's web page for content that does not exist. */
export const webNotFound = (platform: string): Reply =>
  html(
    404,
    htmlPage(
      `Not found · ${platform}`,
      `<p class="tag">Sandbox of ${escape(platform)}</p><h1>This content isn’t available right now.</h1>`,
    ),
    pageHeaders,
  );

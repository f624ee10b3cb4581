import { DomainError, ERROR_TABLE } from '@fanfare/errors';
import type { Request, RequestHandler, Response } from 'express';
import { type Client, clientOf } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { sendResponse } from '../../http/response/write-response.ts';
import { admit } from '../../http/callers/admit.ts';
import { page, type Page } from '../../http/html/page.ts';
import { waiting } from '../../http/html/problem-page.ts';
import { stateOf } from '../../http/request/request-state.ts';
import { inTime } from '../../http/request/in-time.ts';
import { readForm } from '../../http/request/read-form.ts';
import { escapeHtml } from '../../text/escape-html.ts';

/** A page with a form, the target of a link in a mail. It does the same as the API, by the same functions. */
export interface FormPage {
  /** In the syntax of Express. */
  readonly path: string;
  /** The page of a link. After an error it contains the values that were sent. @throws DomainError, param `token`, if the link is no longer valid */
  show(context: Context, given: Given): Promise<Page>;
  submit(context: Context, given: Given, client: Client): Promise<void>;
  /** The page after success. */
  done(context: Context): Page;
  /** The page of a link that is no longer valid. */
  readonly expired?: Page;
}

/** The query of the link, or the fields of the form. */
export type Given = Readonly<Record<string, string>>;

/** Errors that a person can correct in the form. */
const ASK_AGAIN: ReadonlySet<string> = new Set([
  'authentication_required',
  'conflict',
  'invalid_value',
  'missing_field',
  'rate_limit_exceeded',
  'validation_failed',
]);
const OF_LINK: ReadonlySet<string | undefined> = new Set(['token', 'invitation_token']);

export function formPage(context: Context, definition: FormPage): { get: RequestHandler; post: RequestHandler } {
  const { show, submit, done, expired } = definition;
  const read = readForm();
  const send = (request: Request, response: Response, shown: Page) => sendResponse(request, response, page(context.config, shown));
  const orExpired = async (work: () => Promise<Page>): Promise<Page> => {
    try {
      return await work();
    } catch (error) {
      if (!expired || !(error instanceof DomainError) || !OF_LINK.has(error.param)) throw error;
      return { ...expired, status: 400 };
    }
  };
  const enter = enterPage(context, definition.path);

  return {
    async get(request, response) {
      await enter(request, response);
      if ('done' in request.query) return send(request, response, done(context));
      send(request, response, await orExpired(() => show(context, textsOf(request.query))));
    },
    async post(request, response) {
      await enter(request, response);
      const given = textsOf(await inTime(request, response, read(request, response)));
      try {
        await submit(context, given, clientOf({ request, requestId: stateOf(response).requestId }));
      } catch (error) {
        if (!(error instanceof DomainError) || !ASK_AGAIN.has(error.code)) throw error;
        const page = await orExpired(() => show(context, given));
        const { httpStatus } = ERROR_TABLE[error.code];
        return send(request, response, { status: httpStatus, ...page, ...(page.hasForm && { body: alertOf(error) + page.body }) });
      }
      // A redirect, so that a reload does not send the form again.
      response.redirect(303, '?done');
    },
  };
}

/** Applies the rate limits to a request of a page. @throws DomainError rate_limit_exceeded */
export const enterPage =
  (context: Context, path: string) =>
  async (request: Request, response: Response): Promise<void> => {
    Object.assign(stateOf(response), { route: path, isPage: true });
    await admit(context, request, response);
  };

const textsOf = (given: unknown): Given =>
  Object.fromEntries(Object.entries(given as object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

function alertOf({ code, detail, retryAfterSeconds }: DomainError): string {
  const words =
    code === 'rate_limit_exceeded' ? `Too many attempts. Wait ${waiting(retryAfterSeconds)}, then try again.` : sentence(detail);
  return `<p role="alert">${escapeHtml(words)}</p>\n`;
}

/** Error details begin with a field name in lower case; a page shows them as a sentence. */
const sentence = (detail: string) => (detail[0] ?? '').toUpperCase() + detail.slice(1);

import { Router } from 'express';
import type { Context } from '../../context.ts';
import { sendResponse } from '../../http/response/write-response.ts';
import { page } from '../../http/html/page.ts';
import { rejectMethod } from '../../http/mount-routes.ts';
import { enterPage, formPage } from './form-page.ts';
import { howToSignIn } from './how-to-sign-in.ts';
import { invitationPage } from './invitation.ts';
import { forgotPasswordPage, verifyEmailAgainPage } from './mail-again.ts';
import { resetPasswordPage } from './reset-password.ts';
import { verifyEmailPage } from './verify-email.ts';

const FORMS = [verifyEmailPage, verifyEmailAgainPage, resetPasswordPage, forgotPasswordPage, invitationPage];

/** The targets of links in mails, in an installation without a web app. */
export function accountPages(context: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const definition of FORMS) {
    const { get, post } = formPage(context, definition);
    router
      .route(definition.path)
      .get(get)
      .post(post)
      .all(rejectMethod(context, ['GET', 'HEAD', 'POST']));
  }
  const shown = page(context.config, {
    title: 'Sign in',
    body: `${howToSignIn(context.config)}\n<p><a href="forgot-password">Forgot your password?</a></p>`,
  });
  const enter = enterPage(context, '/sign-in');
  router
    .route('/sign-in')
    .get(async (request, response) => {
      await enter(request, response);
      sendResponse(request, response, shown);
    })
    .all(rejectMethod(context, ['GET', 'HEAD']));
  return router;
}

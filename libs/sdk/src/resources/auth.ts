import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import {
  changePassword,
  forgotPassword,
  readInvitation,
  refreshTokens,
  resendEmailVerification,
  resetPassword,
  signIn,
  signOut,
  signUp,
  verifyEmail,
} from '../gen/sdk.gen.ts';
import type {
  ChangePassword,
  ForgotPassword,
  ReadInvitation,
  RefreshTokens,
  ResendEmailVerification,
  ResetPassword,
  SignIn,
  SignOut,
  SignUp,
  VerifyEmail,
} from '../gen/types.gen.ts';

/** How people get access tokens: for an app that they sign in to, such as the console. */
export const auth = ({ plain }: Caller) => ({
  signUp: (body: SignUp, options?: CallOptions) => answered(signUp({ ...plain(options), body })),
  signIn: (body: SignIn, options?: CallOptions) => answered(signIn({ ...plain(options), body })),
  refresh: (body: RefreshTokens, options?: CallOptions) => answered(refreshTokens({ ...plain(options), body })),
  signOut: (body: SignOut, options?: CallOptions) => answered(signOut({ ...plain(options), body })),
  forgotPassword: (body: ForgotPassword, options?: CallOptions) => answered(forgotPassword({ ...plain(options), body })),
  resetPassword: (body: ResetPassword, options?: CallOptions) => answered(resetPassword({ ...plain(options), body })),
  changePassword: (body: ChangePassword, options?: CallOptions) => answered(changePassword({ ...plain(options), body })),
  verifyEmail: (body: VerifyEmail, options?: CallOptions) => answered(verifyEmail({ ...plain(options), body })),
  resendEmailVerification: (body: ResendEmailVerification, options?: CallOptions) =>
    answered(resendEmailVerification({ ...plain(options), body })),
  readInvitation: (body: ReadInvitation, options?: CallOptions) => answered(readInvitation({ ...plain(options), body })),
});

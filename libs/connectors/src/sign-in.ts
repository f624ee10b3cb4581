import type { LoginName } from './connector.ts';
import { PLATFORMS, platformRules, type Platform } from './platform.ts';
import type { SignIn } from './platform-rules.ts';

/** One of our apps, as an operator's settings name it: a platform's, or that of another than its usual way to sign in. */
export type AppName = string;

const loginMethods = (platform: Platform): readonly SignIn[] => platformRules[platform]?.loginMethods ?? [];
const everyLoginMethod = PLATFORMS.flatMap(loginMethods);

/** Whoever people can sign in with, where a platform has several ways. */
export const LOGIN_NAMES: readonly LoginName[] = [...new Set(everyLoginMethod.map(({ login }) => login))];

/** Every app that there may be. */
export const APP_NAMES: readonly AppName[] = [...PLATFORMS, ...new Set(everyLoginMethod.flatMap(({ app }) => app ?? []))];

/** The ways to sign in, the usual one first; none where there is one way alone. */
export const loginNamesOf = (platform: Platform): readonly LoginName[] => loginMethods(platform).map(({ login }) => login);

/** The app by which people sign in that way. */
export const appNameOf = (platform: Platform, login?: LoginName): AppName => loginMethodOf(platform, login)?.app ?? platform;

/** The way to sign in that this app is for, where that is not its platform's usual one. */
export const loginOfApp = (name: AppName): LoginName | undefined => everyLoginMethod.find(({ app }) => app === name)?.login;

/** Whether the account itself signs in that way, and no person behind it. */
export const isLoginOfAccount = (platform: Platform, login: LoginName): boolean => loginMethodOf(platform, login)?.personIsAccount ?? false;

/** Whose apps are Meta's, and whose people it tells of by signed requests. */
export const META_PLATFORMS: readonly Platform[] = PLATFORMS.filter((platform) => platformRules[platform]?.company === 'meta');

function loginMethodOf(platform: Platform, login: LoginName | undefined): SignIn | undefined {
  return loginMethods(platform).find((way) => way.login === login);
}

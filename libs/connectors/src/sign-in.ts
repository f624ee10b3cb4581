import type { LoginName } from './oauth.ts';
import { PLATFORMS, platformRules, type Platform } from './platform.ts';
import type { SignIn } from './platform-rules.ts';

/** The name of one of our apps in PLATFORM_APPS: a platform's, or that of a login other than its default one. */
export type AppName = string;

const loginMethods = (platform: Platform): readonly SignIn[] => platformRules[platform]?.loginMethods ?? [];
const everyLoginMethod = PLATFORMS.flatMap(loginMethods);

/** The names of logins, for platforms that have several. */
export const LOGIN_NAMES: readonly LoginName[] = [...new Set(everyLoginMethod.map(({ login }) => login))];

/** All possible app names. */
export const APP_NAMES: readonly AppName[] = [...PLATFORMS, ...new Set(everyLoginMethod.flatMap(({ app }) => app ?? []))];

/** The logins of a platform, the default one first; empty if there is only one. */
export const loginNamesOf = (platform: Platform): readonly LoginName[] => loginMethods(platform).map(({ login }) => login);

/** The name of the app for a login. */
export const appNameOf = (platform: Platform, login?: LoginName): AppName => loginMethodOf(platform, login)?.app ?? platform;

/** The login that this app is for, if it is not its platform's default one. */
export const loginOfApp = (name: AppName): LoginName | undefined => everyLoginMethod.find(({ app }) => app === name)?.login;

/** Whether the account itself signs in with this login, not a person. */
export const isLoginOfAccount = (platform: Platform, login: LoginName): boolean => loginMethodOf(platform, login)?.personIsAccount ?? false;

/** The platforms of Meta, which sends signed requests about their people. */
export const META_PLATFORMS: readonly Platform[] = PLATFORMS.filter((platform) => platformRules[platform]?.company === 'meta');

/** An app that the sandbox has registered from the start, in the format of `PLATFORM_APPS`. Its secret is public. */
export function sandboxApp(name: AppName): { readonly client_id: string; readonly client_secret: string } {
  const clientId = `sandbox-${(PLATFORMS as readonly AppName[]).includes(name) ? name : name.replaceAll('_', '-')}`;
  return { client_id: clientId, client_secret: `${clientId}-secret` };
}

function loginMethodOf(platform: Platform, login: LoginName | undefined): SignIn | undefined {
  return loginMethods(platform).find((way) => way.login === login);
}

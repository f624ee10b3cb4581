import { currentMs, currentTime, type Keyring } from '@fanfare/runtime';
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose';

/** The user and the session of an access token. The token does not contain whether the session still exists. */
interface AccessGrant {
  readonly userId: string;
  readonly sessionId: string;
}

/** Short-lived proofs of a session: JWTs, which are verified without a database. */
export interface AccessTokens {
  issue(grant: AccessGrant): Promise<string>;
  /** Undefined if the token is invalid or has expired. */
  verify(token: string): Promise<AccessGrant | undefined>;
}

/** Short, because clients refresh in the background, and long enough that they seldom have to. */
export const ACCESS_TOKEN_SECONDS = 600;

const ALGORITHM = 'HS256';
const TYPE = 'at+jwt';
/** Twice the length of our tokens. */
const MAX_LENGTH = 1_000;
/** Between the clocks of replicas. */
const CLOCK_SKEW_SECONDS = 5;

/**
 * @param issuer the URL of the API; tokens of other installations are rejected even if they have the same keys
 * @param keyring its current key signs, and all of its keys verify, so that keys rotate without ending sessions
 */
export function createAccessTokens({ keyring, issuer }: { keyring: Keyring; issuer: string }): AccessTokens {
  const keys = keyring.derive('access tokens');
  const [current] = keys;
  const audience = `${issuer}/api`;
  const keyOf = ({ kid }: JWTHeaderParameters) => {
    const key = keys.find(({ id }) => id === kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.bytes;
  };

  return {
    issue: ({ userId, sessionId }) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: current.id })
        .setSubject(userId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(currentTime())
        .setExpirationTime(new Date(currentMs() + ACCESS_TOKEN_SECONDS * 1000))
        .sign(current.bytes),
    async verify(token) {
      if (token.length > MAX_LENGTH) return undefined;
      try {
        const { payload } = await jwtVerify(token, keyOf, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer,
          audience,
          currentDate: currentTime(),
          clockTolerance: CLOCK_SKEW_SECONDS,
          requiredClaims: ['sub', 'sid', 'exp'],
        });
        const { sub, sid } = payload;
        return sub !== undefined && typeof sid === 'string' ? { userId: sub, sessionId: sid } : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

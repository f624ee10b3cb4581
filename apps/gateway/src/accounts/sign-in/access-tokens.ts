import { currentMs, currentTime, type Keyring } from '@fanfare/runtime';
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose';

/** Who an access token speaks for. Whether the session is still alive is not in the token. */
interface AccessGrant {
  readonly userId: string;
  readonly sessionId: string;
}

/** Short-lived proofs of a session: JWTs that are checked without a round trip. */
export interface AccessTokens {
  issue(grant: AccessGrant): Promise<string>;
  /** Undefined when it is not one of ours, or has expired. */
  verify(token: string): Promise<AccessGrant | undefined>;
}

/** Shorter than anybody notices, because clients refresh; long enough that they seldom do. */
export const ACCESS_TOKEN_SECONDS = 600;

const ALGORITHM = 'HS256';
const TYPE = 'at+jwt';
/** Ours are half as long. */
const MAX_LENGTH = 1_000;
/** Between replicas. */
const CLOCK_SKEW_SECONDS = 5;

/**
 * @param issuer the URL of the API; what another installation issued is refused even if the keys were the same
 * @param keyring tokens are signed by its current key and believed by any, so keys rotate while people are signed in
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

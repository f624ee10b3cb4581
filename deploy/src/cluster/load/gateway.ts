import { until } from '@fanfare/infra';
import { fetch } from '@fanfare/runtime/http-client';
import { NAMESPACE } from '../release.ts';

/** The gateway's Service: no Ingress controller is in this cluster (deploy/docs/chart-checks.md). */
export const API_URL = `http://fanfare-gateway-http.${NAMESPACE}.svc:8080`;
const LIMIT_MS = 600_000;

/** Until the API responds. */
export async function untilServed(): Promise<void> {
  await until(`${API_URL} does not respond`, LIMIT_MS, async () => {
    const { status } = await fetch(`${API_URL}/api/platforms`);
    // Without a key.
    if (status !== 401) throw new Error(`the status is ${status}`);
  });
}

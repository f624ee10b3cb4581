// Prints a Secret with random keys: `node deploy/helm/make-secret.mjs NAME`. Fill in what is marked before you apply it, and keep it in a safe place: without the
// keyrings, stored tokens and secrets of webhooks cannot be decrypted.
import { randomBytes } from 'node:crypto';

const [name] = process.argv.slice(2);
if (!name) {
  console.error('usage: node deploy/helm/make-secret.mjs NAME');
  process.exit(1);
}
const key = () => `k1:${randomBytes(32).toString('base64')}`;
process.stdout.write(`apiVersion: v1
kind: Secret
metadata:
  name: ${name}
stringData:
  # A replica set or a sharded cluster. Not empty, which would mean a MongoDB in the pod: until it is filled in, pods say that it is wrong.
  MONGODB_URL: "FILL IN"
  # Your apps on the platforms: {"facebook": {"client_id": "…", "client_secret": "…"}}. FILL IN.
  PLATFORM_APPS: "{}"
  GATEWAY_KEYRING: "${key()}"
  KEYRING: "${key()}"
  MEDIA_URL_SECRET: "${key()}"
`);

// Loaded by `node --import` before anything else, so that the modules that it instruments are not loaded yet. Off unless an endpoint is set: then it
// costs one `if`. https://opentelemetry.io/docs/specs/otel/protocol/exporter/
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { register } = await import('node:module');
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const [
    { NodeSDK },
    { HttpInstrumentation },
    { ExpressInstrumentation },
    { GrpcInstrumentation },
    { KafkaJsInstrumentation },
    { MongoDBInstrumentation },
  ] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-express'),
    import('@opentelemetry/instrumentation-grpc'),
    import('@opentelemetry/instrumentation-kafkajs'),
    import('@opentelemetry/instrumentation-mongodb'),
  ]);
  const sdk = new NodeSDK({
    instrumentations: [
      new HttpInstrumentation(),
      new ExpressInstrumentation(),
      new GrpcInstrumentation(),
      new KafkaJsInstrumentation(),
      new MongoDBInstrumentation(),
    ],
  });
  sdk.start();
  // `runProcess` calls it before it exits. It is bundled separately from this file, so they share a global that both know.
  Object.assign(globalThis, { [Symbol.for('fanfare.flushTraces')]: () => sdk.shutdown() });
}
export {};

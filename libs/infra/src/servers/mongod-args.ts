// Tests create thousands of tables, and drop them. Walking through all that are open took a twentieth of the CPU of all tests: unused tables are closed after
// half a minute instead of ten, and only one thread always looks for what can be evicted.
const ENGINE = 'file_manager=(close_idle_time=30,close_scan_interval=30,close_handle_minimum=250),eviction=(threads_min=1,threads_max=4)';

/**
 * The command line of every mongod that we start, native or in a container: a replica set of one member, small enough for a laptop.
 * @param port in a container it is the host's port too, so that the address in the replica set's configuration is valid on both sides
 */
export function mongodArgs(port: number): string[] {
  return [
    ...['--replSet', 'rs0', '--port', String(port)],
    // What the databases of a whole test run fit in: with a quarter of that, eviction used a tenth of the CPU of all tests. Memory is used only as data need it.
    ...['--wiredTigerCacheSizeGB', '1', '--oplogSize', '256'],
    ...['--wiredTigerEngineConfigString', ENGINE],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // Transactions that a killed process left open lock their rows for at most so many seconds; ours take milliseconds. The default is a minute.
    ...['--setParameter', 'transactionLifetimeLimitSeconds=15'],
    // A primary would wait this long for another member to take over, but there is none.
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
}

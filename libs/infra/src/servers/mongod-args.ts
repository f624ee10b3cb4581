/**
 * The command line that every mongod of ours gets, native or in a container: a replica set of one that is small enough for a laptop.
 * @param port in a container it is the host's port too, so that the address in the replica set's configuration is right on both sides
 */
export function mongodArgs(port: number): string[] {
  return [
    ...['--replSet', 'rs0', '--port', String(port)],
    ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // What a killed process left open holds its rows no longer than this, in seconds; our transactions take milliseconds. The default is a minute.
    ...['--setParameter', 'transactionLifetimeLimitSeconds=15'],
    // A primary would wait this long for another member to take over; there is none.
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
}
